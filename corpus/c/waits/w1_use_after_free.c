// about: W1 with free: a round of the loop that changed nothing reads what another thread frees
// from: by hand: the read comes before the relaxed write of y, which the third thread sees without acquiring
// run: | rc11 rc20 | verdict=violation violation=use-after-free
// run: | sc tso pso ra | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x, y;
static int *p;

static void *first(void *arg) {
  (void)arg;
  for (;;) {
    if (atomic_load_explicit(&x, memory_order_relaxed))
      break;
    int r = *p; //! use-after-free
    (void)r;
  }
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&y, memory_order_relaxed))
    free(p); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t t[3];
  p = malloc(sizeof *p);
  *p = 7;
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
