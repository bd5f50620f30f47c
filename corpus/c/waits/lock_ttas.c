// about: test and test-and-set: the load may see an old 0 before the compare-exchange that wins
// from: brute force; GenMC 0.11
// run: -DN=2 | sc ra rc20 | verdict=verified executions=4
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=4
// run: -DN=3 | sc ra rc20 | verdict=verified executions=36
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static atomic_int l;
static int d;

static void lock(void) {
  for (;;) {
    while (atomic_load_explicit(&l, memory_order_relaxed))
      ;
    int e = 0;
    if (atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed))
      break;
  }
}

static void unlock(void) { atomic_store_explicit(&l, 0, memory_order_release); }

static void *run(void *arg) {
  (void)arg;
  lock();
  d = d + 1;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(d == N);
}
