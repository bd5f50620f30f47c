// about: W6: a round that writes the same value again is not without effect
// from: by hand: b and c are both 1 only if the loop goes round twice
// run: | sc tso pso ra rc11 rc20 --unroll 3 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  do
    atomic_store_explicit(&y, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&x, memory_order_relaxed));
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  int b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  int c = atomic_load_explicit(&y, memory_order_relaxed);
  assert(!(b == 1 && c == 1)); //! assertion
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
