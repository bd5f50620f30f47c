// about: W5: a failed try of a retry loop that is not explored further is no wait, so nobody waits for ever
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *first(void *arg) {
  (void)arg;
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&x, &a, a + 1, memory_order_relaxed, memory_order_relaxed))
    ;
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 5, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
