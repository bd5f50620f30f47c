// about: one thread waits for x; the other sets it, sets it and takes it back, or sets something else
// from: brute force
// run: | sc ra rc20 | verdict=verified executions=1
// run: | tso pso rc11 | verdict=verified
// run: -DTAKE_BACK | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DTAKE_BACK | sc ra rc20 --check-liveness off | executions=1
// run: -DOTHER | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DOTHER | sc ra rc20 --check-liveness off | executions=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
#ifdef OTHER
static atomic_int y;
#endif

static void *first(void *arg) {
  (void)arg;
  while (!atomic_load_explicit(&x, memory_order_acquire)) //! liveness
    ;
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
#ifdef OTHER
  atomic_store_explicit(&y, 1, memory_order_release);
#else
  atomic_store_explicit(&x, 1, memory_order_release);
#endif
#ifdef TAKE_BACK
  atomic_store_explicit(&x, 0, memory_order_release);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
