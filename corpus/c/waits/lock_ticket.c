// about: a ticket lock
// from: brute force; GenMC 0.11
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
// run: -DN=3 | sc ra rc20 | verdict=verified executions=6
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static atomic_int next, owner;
static int d;

static void lock(void) {
  int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&owner, memory_order_acquire) != ticket)
    ;
}

static void unlock(void) {
  int now = atomic_load_explicit(&owner, memory_order_relaxed);
  atomic_store_explicit(&owner, now + 1, memory_order_release);
}

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
