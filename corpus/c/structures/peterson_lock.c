// about: Peterson's lock with seq_cst accesses; under ra it does not exclude
// from: by hand
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: | ra | verdict=violation violation=assertion
// run: -DBUG_RELAXED | sc | verdict=verified
// run: -DBUG_RELAXED | tso pso | verdict=violation violation=assertion
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_TURN_FIRST | sc tso pso | verdict=violation violation=assertion
// run: -DBUG_TURN_FIRST | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_MY_TURN | sc tso pso | verdict=violation violation=assertion
// run: -DBUG_MY_TURN | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#define N 2

#ifdef BUG_RELAXED
#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#else
#define GET(p) atomic_load(p)
#define PUT(p, v) atomic_store(p, v)
#endif
#ifdef BUG_MY_TURN
#define GIVE(me) (me)
#else
#define GIVE(me) (1 - (me))
#endif

static atomic_int flag[2], turn;
static int d;

static void lock(int me) {
#ifdef BUG_TURN_FIRST
  PUT(&turn, GIVE(me));
  PUT(&flag[me], 1);
#else
  PUT(&flag[me], 1);
  PUT(&turn, GIVE(me));
#endif
  while (GET(&flag[1 - me]) && GET(&turn) == 1 - me)
    ;
}

static void unlock(int me) { PUT(&flag[me], 0); }

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  (void)me;
  lock(me);
  d = d + 1; //! race
  unlock(me);
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
