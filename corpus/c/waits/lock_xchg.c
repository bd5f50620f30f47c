// about: a lock taken by exchange; on a taken lock it writes back what it read
// from: brute force; GenMC 0.11
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
// run: -DN=3 | sc ra rc20 | verdict=verified executions=6
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=6
// run: -DN=2 -DFLAG | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DFLAG | rc20 | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static int d;

#ifdef FLAG
static atomic_flag l = ATOMIC_FLAG_INIT;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&l, memory_order_acquire))
    ;
}

static void unlock(void) { atomic_flag_clear_explicit(&l, memory_order_release); }
#else
static atomic_int l;

static void lock(void) {
  while (atomic_exchange_explicit(&l, 1, memory_order_acquire))
    ;
}

static void unlock(void) { atomic_store_explicit(&l, 0, memory_order_release); }
#endif

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
