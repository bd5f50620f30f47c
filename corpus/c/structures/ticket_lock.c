// about: a ticket lock
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_LOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_SAME_TICKET | sc tso pso ra rc11 rc20 | verdict=violation
// run: -DBUG_SKIP_TURN | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
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
#ifdef BUG_SKIP_TURN
#define STEP 2
#else
#define STEP 1
#endif

static atomic_int next, owner;
static int d;

static int take_ticket(void) {
#ifdef BUG_SAME_TICKET
  int t = atomic_load_explicit(&next, memory_order_relaxed);
  atomic_store_explicit(&next, t + 1, memory_order_relaxed);
  return t;
#else
  return atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
#endif
}

static void lock(void) {
  int ticket = take_ticket();
  while (atomic_load_explicit(&owner, LOCKED) != ticket) //! liveness
    ;
}

static void unlock(void) {
  int now = atomic_load_explicit(&owner, memory_order_relaxed);
  atomic_store_explicit(&owner, now + STEP, UNLOCKED);
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
