// about: a cell that is set once: empty, being set, set; who comes too late waits for the value of the first
// from: by hand: the value is published by the store of "set" and the load that sees it. pso may let a relaxed store of "set" overtake
// from: the value; tso may not. If the setter gives up without resetting the state, others wait for ever
// run: | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DBUG_RELAXED_LOAD | sc tso pso sra ra | verdict=verified
// run: -DBUG_RELAXED_LOAD | rc11 rc20 xmm | verdict=violation violation=race
// run: -DBUG_RELAXED_STORE | sc tso sra ra | verdict=verified
// run: -DBUG_RELAXED_STORE | pso | verdict=violation violation=assertion
// run: -DBUG_RELAXED_STORE | rc11 rc20 xmm | verdict=violation violation=race
// run: -DBUG_GIVES_UP | sc tso pso sra ra rc11 rc20 xmm | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELAXED_LOAD
#define LOAD memory_order_relaxed
#else
#define LOAD memory_order_acquire
#endif
#ifdef BUG_RELAXED_STORE
#define STORE memory_order_relaxed
#else
#define STORE memory_order_release
#endif

enum { EMPTY, BUSY, SET };

static atomic_int state;
static int value;

static int get_or_set(int mine) {
  int empty = EMPTY;
  if (atomic_load_explicit(&state, LOAD) == SET)
    return value; //! race
  if (atomic_compare_exchange_strong(&state, &empty, BUSY)) {
#ifdef BUG_GIVES_UP
    if (mine == 2)
      return mine;
#endif
    value = mine; //! race
    atomic_store_explicit(&state, SET, STORE);
    return mine;
  }
  while (atomic_load_explicit(&state, LOAD) != SET) //! liveness
    ;
  return value; //! race
}

static void *run(void *arg) {
  assert(get_or_set((int)(size_t)arg) > 0); //! assertion
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)1);
  pthread_create(&b, NULL, run, (void *)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
