// about: a loop that keeps what it read beside the flag
// from: brute force
// run: | sc ra rc20 | verdict=verified executions=1
// run: | sc ra rc20 --equivalence co | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  int a, b;
  do {
    a = atomic_load_explicit(&x, memory_order_acquire);
    b = atomic_load_explicit(&y, memory_order_acquire);
  } while (!a);
  assert(b == 1);
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
