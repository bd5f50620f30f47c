// about: the queue lock of Craig, Landin and Hagersten; one thread takes it twice, the other once
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_KEEP_OWN_NODE | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBUG_LATE_FLAG | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_LATE_FLAG | rc11 rc20 | verdict=violation
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

static atomic_int busy[N + 1];
static atomic_int tail = N;
static int d;

// returns the number of the node before ours
static int lock(int mine) {
#ifdef BUG_LATE_FLAG
  int before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  atomic_store_explicit(&busy[mine], 1, memory_order_relaxed);
#else
  atomic_store_explicit(&busy[mine], 1, memory_order_relaxed);
  int before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
#endif
  while (atomic_load_explicit(&busy[before], memory_order_acquire)) //! liveness
    ;
  return before;
}

// our node now belongs to the one behind us, the node before ours is free
static int unlock(int mine, int before) {
  atomic_store_explicit(&busy[mine], 0, UNLOCKED);
#ifdef BUG_KEEP_OWN_NODE
  (void)before;
  return mine;
#else
  return before;
#endif
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  int mine = me;
  for (int i = 0; i <= me; i++) {
    int before = lock(mine);
    d = d + 1; //! race
    mine = unlock(mine, before);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(d == 3); //! assertion
}
