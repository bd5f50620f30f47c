// about: a sequence lock with one writer and one reader; both waits of the reader are one loop
// from: brute force
// run: | sc ra rc20 | verdict=verified executions=2
// run: | sc ra rc20 --equivalence co | verdict=verified executions=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int s, v;

static void *first(void *arg) {
  (void)arg;
  atomic_store_explicit(&s, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&v, 1, memory_order_relaxed);
  atomic_store_explicit(&s, 2, memory_order_release);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  int a, b, c;
  do {
    while ((a = atomic_load_explicit(&s, memory_order_acquire)) == 1)
      ;
    c = atomic_load_explicit(&v, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    b = atomic_load_explicit(&s, memory_order_relaxed);
  } while (a != b);
  assert(c == (a == 2));
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
