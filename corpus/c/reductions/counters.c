// about: updates of which nobody looks at the result: their order is no part of an execution where nobody can see it
// from: by hand: N! orders of N updates are one; where the order can be seen it is counted as without
// run: -DN=4 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=4 | sc rc20 --reductions counters --equivalence co | verdict=verified executions=1
// run: -DN=4 | sc rc20 --reductions none | verdict=verified executions=24
// run: -DN=4 | rc20 --reductions all -j 2 | verdict=verified executions=1
// run: -DN=20 | sc rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DTIMES=2 | sc tso pso sra ra rc11 rc20 --reductions counters | verdict=verified executions=1
// run: -DN=3 -DTIMES=2 | rc20 --reductions none | verdict=verified executions=90
// run: -DN=3 -DORDER=memory_order_relaxed -DTHEN | sc tso pso rc11 rc20 --reductions counters | verdict=verified executions=4
// run: -DN=3 -DORDER=memory_order_relaxed -DTHEN | rc20 --reductions none | verdict=verified executions=24
// run: -DN=3 -DTHEN | rc11 rc20 ra --reductions counters | verdict=verified executions=24
// run: -DN=3 -DBITS | sc rc20 --reductions counters | verdict=verified executions=1
// run: -DN=3 -DBITS -DKINDS | sc rc20 --reductions counters | verdict=verified executions=12
// run: -DN=3 -DBEFORE | sc tso pso ra rc11 rc20 --reductions counters | verdict=verified executions=1
// run: -DN=3 -DLOOKS | sc rc20 --reductions counters | verdict=verified executions=6
// run: -DN=3 -DWAITS | sc rc20 --reductions counters | verdict=verified executions=6
// run: -DN=2 -DREADS | sc rc20 --reductions counters | verdict=violation violation=assertion
// run: -DN=2 -DWRITES | sc rc20 --reductions counters --all | verdict=violation violation=assertion
// run: -DN=3 -DHEAP | sc tso pso ra rc11 rc20 --reductions counters | verdict=verified executions=1
// run: -DN=2 -DHEAP -DHALF | sc tso pso ra rc11 rc20 --reductions counters --all | verdict=violation executions=1
// run: -DN=2 -DHEAP -DHALF -DORDER=memory_order_relaxed | rc11 rc20 --reductions counters --all | verdict=violation violation=use-after-free
// run: -DN=2 -DHEAP -DEARLY | sc rc11 rc20 --reductions counters | verdict=violation violation=use-after-free
// run: -DN=3 | xmm --reductions all | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifndef TIMES
#define TIMES 1
#endif

static atomic_int other;
#ifdef HEAP
static atomic_int *counter;
#else
static atomic_int own;
#define counter (&own)
#endif

static void *run(void *arg) {
  int number = (int)(intptr_t)arg;
  for (int i = 0; i < TIMES; i++) {
#ifdef BITS
    atomic_fetch_or_explicit(counter, 1 << number, ORDER);
#elif defined LOOKS
    int mine = atomic_fetch_add_explicit(counter, number + 1, ORDER);
    assert(mine < 6);
#else
    atomic_fetch_add_explicit(counter, number + 1, ORDER);
#endif
  }
#ifdef KINDS
  if (number == 0)
    atomic_fetch_and_explicit(counter, 7, ORDER);
#endif
#ifdef THEN
  if (number == 0)
    atomic_store_explicit(&other, 1, memory_order_relaxed);
  else
    (void)atomic_load_explicit(&other, memory_order_relaxed);
#endif
  return NULL;
}

int main(void) {
#ifdef HEAP
  counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
#endif
#ifdef BEFORE
  atomic_store_explicit(counter, 10, memory_order_relaxed);
#endif
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, run, (void *)i);
#ifdef WAITS
  while (atomic_load_explicit(counter, memory_order_acquire) != N * (N + 1) / 2)
    ;
#endif
#ifdef READS
  assert(atomic_load_explicit(counter, memory_order_relaxed) != 2);
#endif
#ifdef WRITES
  atomic_store_explicit(counter, 0, memory_order_relaxed);
#endif
#ifdef EARLY
  free(counter);
#endif
#ifdef HALF
  // Whoever was joined may have heard of the other one, or not.
  pthread_join(threads[1], NULL);
  free(counter);
  return 0;
#endif
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
#ifdef EARLY
  return 0;
#endif
  int value = atomic_load_explicit(counter, memory_order_relaxed);
#ifdef BITS
#ifndef KINDS
  assert(value == (1 << N) - 1);
#endif
#elif defined BEFORE
  assert(value == 10 + TIMES * N * (N + 1) / 2);
#else
  assert(value == TIMES * N * (N + 1) / 2);
#endif
#if defined HEAP
  free(counter);
#endif
  return 0;
}
