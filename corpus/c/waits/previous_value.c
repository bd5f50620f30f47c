// about: a loop that keeps the value of the round before: a round is like another only if that value is too
// from: brute force
// run: | sc ra rc20 | verdict=verified executions=4
// run: | sc ra rc20 --equivalence co | verdict=verified executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *first(void *arg) {
  (void)arg;
  int c;
  int a = 9;
  do {
    c = a;
    a = atomic_load_explicit(&x, memory_order_acquire);
  } while (a != 2);
  assert(c == 9 || c == 0 || c == 1);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_store_explicit(&x, 2, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
