// about: left-right: two instances, readers never wait; the writer turns readers away from one and waits for those who are still there
// from: by hand: a reader that counts itself after the writer looked must see the turn, which store, additions and loads that are
// from: seq_cst make sure of; a release store of the turn may wait in a store buffer while the writer looks at the counters
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: -DBUG_RELEASE_TURN | sc | verdict=verified
// run: -DBUG_RELEASE_TURN | tso pso | verdict=violation violation=assertion
// run: -DBUG_RELEASE_TURN | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_ONE_WAIT | sc tso pso | verdict=violation violation=assertion
// run: -DBUG_ONE_WAIT | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELEASE_TURN
#define TURN memory_order_release
#else
#define TURN memory_order_seq_cst
#endif

struct instance {
  int a, b;
};

static struct instance instances[2];
static atomic_int side, version, readers[2];

static void change(struct instance *instance) {
  instance->a = 1; //! race
  instance->b = 1; //! race
}

static void *writer(void *arg) {
  int s = atomic_load_explicit(&side, memory_order_relaxed);
  int v = atomic_load_explicit(&version, memory_order_relaxed);
  change(&instances[!s]);
  atomic_store_explicit(&side, !s, TURN);
  while (atomic_load(&readers[!v]))
    ;
  atomic_store_explicit(&version, !v, TURN);
#ifndef BUG_ONE_WAIT
  while (atomic_load(&readers[v]))
    ;
#endif
  change(&instances[s]);
  return arg;
}

static void *reader(void *arg) {
  int v = atomic_load(&version);
  atomic_fetch_add(&readers[v], 1);
  struct instance *instance = &instances[atomic_load(&side)];
  int a = instance->a; //! race
  int b = instance->b; //! race
  assert(a == b); //! assertion
  atomic_fetch_sub(&readers[v], 1);
  return arg;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
}
