// about: rounds that begin with a store which another thread does see: what a reduction must keep
// from: by hand; each needs a second round of the loop, or a try that failed
// run: -DOVERWRITES | rc11 rc20 --reductions all --unroll 3 | verdict=violation violation=assertion
// run: -DOVERWRITES | rc11 rc20 --reductions none --unroll 3 | verdict=violation violation=assertion
// run: -DOVERWRITES | sc tso ra --reductions rounds | verdict=verified
// run: -DRACES | rc11 rc20 --reductions rounds | verdict=violation violation=race
// run: -DRACES | rc11 rc20 --reductions none | verdict=violation violation=race
// run: -DFREES | sc tso ra rc11 rc20 --reductions rounds | verdict=violation violation=use-after-free
// run: -DFREES | sc tso ra rc11 rc20 --reductions none | verdict=violation violation=use-after-free
// run: -DSTALE | rc11 rc20 --reductions rounds | verdict=violation violation=assertion
// run: -DSTALE | rc11 rc20 --reductions none | verdict=violation violation=assertion
// run: -DSTALE | sc tso ra --reductions rounds | verdict=verified
// run: -DBEHIND | sc tso pso ra rc11 rc20 --reductions rounds --unroll 3 | verdict=violation violation=assertion
// run: -DBEHIND | sc tso pso ra rc11 rc20 --reductions none --unroll 3 | verdict=violation violation=assertion
// run: -DCOUNTED | sc tso pso ra rc11 rc20 --reductions all --unroll 3 | verdict=violation violation=assertion
// run: -DCOUNTED | sc tso pso ra rc11 rc20 --reductions none --unroll 3 | verdict=violation violation=assertion
// run: -DTAKEN | sc tso pso ra rc11 rc20 --reductions rounds --unroll 3 | verdict=violation violation=assertion
// run: -DTAKEN | sc tso pso ra rc11 rc20 --reductions none --unroll 3 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
#define LOAD(at, order) atomic_load_explicit(at, memory_order_##order)
#define STORE(at, value, order) atomic_store_explicit(at, value, memory_order_##order)

static atomic_int x, y, l, done;
static int n;
static int *memory;
static _Atomic(atomic_int *) top;
static atomic_int first_node, second_node;

static void *looping(void *arg) {
#ifdef OVERWRITES
  do
    STORE(&l, 1, release);
  while (!LOAD(&x, relaxed));
  STORE(&y, 1, relaxed);
#elif defined RACES
  do {
    n = 1;
    STORE(&y, 1, release);
  } while (!LOAD(&x, relaxed));
#elif defined COUNTED
  // What the other thread adds behind the first round is overwritten by the second.
  do {
    STORE(&l, 1, relaxed);
    STORE(&y, 1, release);
  } while (!LOAD(&x, relaxed));
#elif defined FREES
  do {
    *memory = 1;
    STORE(&y, 1, release);
  } while (!LOAD(&x, acquire));
#elif defined STALE
  // The node keeps the number of the other one that it saw on top; whoever finds it may see what a failed try put there.
  atomic_int *head = LOAD(&top, relaxed);
  do
    STORE(&first_node, head ? 2 : 1, relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &head, &first_node, RELAXED, RELAXED));
#elif defined BEHIND
  // The store stands behind the read that decides: the last round does not make it.
  while (!LOAD(&x, relaxed))
    STORE(&l, 1, relaxed);
#else
  // The other thread takes what the round put there, and the next round puts it there again.
  do
    STORE(&l, 1, relaxed);
  while (!LOAD(&x, relaxed));
#endif
  return arg;
}

static void *other(void *arg) {
#ifdef OVERWRITES
  if (LOAD(&l, acquire) && LOAD(&y, relaxed)) {
    STORE(&l, 2, relaxed);
    STORE(&done, 1, relaxed);
  }
#elif defined RACES
  if (LOAD(&y, acquire))
    return n ? arg : NULL;
#elif defined FREES
  if (LOAD(&y, acquire))
    free(memory);
#elif defined COUNTED
  if (LOAD(&y, acquire)) {
    atomic_fetch_add_explicit(&l, 5, RELAXED);
    STORE(&done, 1, relaxed);
  }
#elif defined STALE
  atomic_int *none = NULL;
  atomic_compare_exchange_strong_explicit(&top, &none, &second_node, RELAXED, RELAXED);
  atomic_int *head = LOAD(&top, relaxed);
  if (none == NULL && head == &first_node)
    assert(LOAD(head, relaxed) != 1);
#elif defined TAKEN
  if (atomic_exchange_explicit(&l, 0, RELAXED) && atomic_exchange_explicit(&l, 0, RELAXED))
    STORE(&done, 1, relaxed);
#endif
  return arg;
}

static void *setting(void *arg) {
  STORE(&x, 1, release);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  memory = malloc(sizeof *memory);
  pthread_create(&threads[0], NULL, looping, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  pthread_create(&threads[2], NULL, setting, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
#ifdef OVERWRITES
  assert(!LOAD(&done, relaxed) || LOAD(&l, relaxed) == 2);
#elif defined BEHIND
  assert(!LOAD(&l, relaxed));
#elif defined TAKEN
  assert(!LOAD(&done, relaxed));
#elif defined COUNTED
  assert(!LOAD(&done, relaxed) || LOAD(&l, relaxed) != 1);
#endif
  return 0;
}
