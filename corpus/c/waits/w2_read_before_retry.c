// about: W2: a retry loop whose first failure must not be dropped, because y was read before it
// from: by hand: x is read as 0, y as 0, then both are written, the first try fails and reads 1
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  int a = atomic_load_explicit(&x, memory_order_acquire);
  int b = atomic_load_explicit(&y, memory_order_acquire);
  while (!atomic_compare_exchange_strong_explicit(&x, &a, a + 1, memory_order_acq_rel, memory_order_acquire))
    ;
  assert(!(a == 1 && b == 0)); //! assertion
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  atomic_store_explicit(&y, 1, memory_order_release);
  atomic_store_explicit(&x, 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
