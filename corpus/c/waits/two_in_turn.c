// about: a loop that looks at x and y in turn is back where it was every second round
// from: brute force
// run: | sc ra rc20 | verdict=verified executions=1
// run: | sc ra rc20 --equivalence co | verdict=verified executions=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  for (int turn = 0;; turn = 1 - turn)
    if (atomic_load_explicit(turn == 0 ? &x : &y, memory_order_acquire))
      break;
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
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
