// about: a lock taken by compare-exchange, in seven spellings
// from: brute force; GenMC 0.11
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
// run: -DN=3 | sc ra rc20 | verdict=verified executions=6
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=6
// run: -DN=2 -DSPELLING=1 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=1 | rc20 | verdict=verified executions=6
// run: -DN=2 -DSPELLING=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=2 | rc20 | verdict=verified executions=6
// run: -DN=2 -DSPELLING=3 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=3 | rc20 | verdict=verified executions=6
// run: -DN=2 -DSPELLING=4 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=4 | rc20 | verdict=verified executions=6
// run: -DN=2 -DSPELLING=5 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=5 | rc20 | verdict=verified executions=6
// run: -DN=2 -DSPELLING=6 | sc ra rc20 | verdict=verified executions=2
// run: -DN=3 -DSPELLING=6 | rc20 | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

#ifndef SPELLING
#define SPELLING 0
#endif

static atomic_int l;
static int d;

static int try_lock(void) {
  int e = 0;
  return atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed);
}

static void lock(void) {
#if SPELLING == 0
  int e = 0;
  while (!atomic_compare_exchange_strong_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed))
    e = 0;
  (void)try_lock;
#elif SPELLING == 1
  for (;;)
    if (try_lock())
      break;
#elif SPELLING == 2
  int done;
  do
    done = try_lock();
  while (!done);
#elif SPELLING == 3
again:
  if (!try_lock())
    goto again;
#elif SPELLING == 4
  for (int done = 0; !done; done = try_lock())
    ;
#elif SPELLING == 5
  while (!try_lock())
    sched_yield();
#elif SPELLING == 6
  int e;
  do
    e = 0;
  while (!atomic_compare_exchange_weak_explicit(&l, &e, 1, memory_order_acquire, memory_order_relaxed));
  (void)try_lock;
#endif
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
