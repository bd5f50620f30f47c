// about: W7: a round that adds and takes away is not without effect: others see the value in between
// from: by hand: the first thread adds, the second sees 2, the first takes away and tries again
// run: | sc tso pso ra rc11 rc20 --unroll 3 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x = 1;
static int seen;

static void *first(void *arg) {
  (void)arg;
  while (atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel) != 0)
    atomic_fetch_sub_explicit(&x, 1, memory_order_acq_rel);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  seen = atomic_load_explicit(&x, memory_order_acquire);
  atomic_fetch_sub_explicit(&x, 1, memory_order_acq_rel);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(seen != 2); //! assertion
}
