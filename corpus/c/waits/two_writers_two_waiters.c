// about: two threads wait until x and y are no longer 1; two writers can leave either at 1
// from: brute force
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *x_then_y(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return NULL;
}

static void *y_then_x(void *arg) {
  (void)arg;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return NULL;
}

static void *wait_x(void *arg) {
  (void)arg;
  while (atomic_load_explicit(&x, memory_order_relaxed) == 1) //! liveness
    ;
  return NULL;
}

static void *wait_y(void *arg) {
  (void)arg;
  while (atomic_load_explicit(&y, memory_order_relaxed) == 1) //! liveness
    ;
  return NULL;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, x_then_y, NULL);
  pthread_create(&t[1], NULL, y_then_x, NULL);
  pthread_create(&t[2], NULL, wait_x, NULL);
  pthread_create(&t[3], NULL, wait_y, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
}
