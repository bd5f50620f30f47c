// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// about: one thread frees what the other still reads
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *reader(void *arg) {
  (void)arg;
  int r = *p; //! use-after-free
  (void)r;
  return NULL;
}

static void *freer(void *arg) {
  (void)arg;
  free(p); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t a, b;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, freer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
