// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=double-free
// about: two threads free the same memory
#include <pthread.h>
#include <stdlib.h>

static void *run(void *arg) {
  free(arg); //! double-free
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int *p = malloc(sizeof *p);
  pthread_create(&a, NULL, run, p);
  pthread_create(&b, NULL, run, p);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
