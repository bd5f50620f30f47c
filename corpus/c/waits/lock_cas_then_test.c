// about: compare-exchange first; who fails waits for 0 and tries again
// from: brute force; GenMC 0.11
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
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
    int e = 0;
    if (atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed))
      break;
    while (atomic_load_explicit(&l, memory_order_relaxed))
      ;
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
