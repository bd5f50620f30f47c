// about: test and test-and-set
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_LOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_TEST_THEN_SET | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_TEST_THEN_SET | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_UNLOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#define N 2

#ifdef BUG_RELAXED_UNLOCK
#define UNLOCKED memory_order_relaxed
#else
#define UNLOCKED memory_order_release
#endif
#ifdef BUG_RELAXED_LOCK
#define LOCKED memory_order_relaxed
#else
#define LOCKED memory_order_acquire
#endif

static atomic_int l;
static int d;

static int set(void) {
#ifdef BUG_TEST_THEN_SET
  atomic_store_explicit(&l, 1, memory_order_relaxed);
  return 1;
#else
  return atomic_exchange_explicit(&l, 1, LOCKED) == 0; //! liveness
#endif
}

static void lock(void) {
  do
    while (atomic_load_explicit(&l, LOCKED)) //! liveness
      ;
  while (!set());
}

static void unlock(void) {
#ifndef BUG_NO_UNLOCK
  atomic_store_explicit(&l, 0, UNLOCKED);
#endif
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  (void)me;
  lock();
  d = d + 1; //! race
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(d == N); //! assertion
}
