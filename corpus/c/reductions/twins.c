// about: threads that nothing tells apart, which begin with an update: what differs by a permutation of them is one execution
// from: by hand: N! orders of the first updates are one; what can be told apart is counted as without
// run: -DN=4 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=4 | sc rc20 --reductions symmetry --equivalence co | verdict=verified executions=1
// run: -DN=4 | sc rc20 --reductions none | verdict=verified executions=24
// run: -DN=4 | rc20 --reductions all -j 2 | verdict=verified executions=1
// run: -DN=20 | rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DSECOND | sc rc20 --reductions symmetry | verdict=verified executions=6
// run: -DN=3 -DSECOND | sc rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DSECOND | sc rc20 --reductions none | verdict=verified executions=36
// run: -DN=3 -DARGUMENTS | sc rc20 --reductions all | verdict=verified executions=6
// run: -DN=3 -DNAMES | sc rc20 --reductions all | verdict=verified executions=6
// run: -DN=3 -DJOINS | sc rc20 --reductions all --all | verdict=violation violation=assertion
// run: -DN=2 -DWRITTEN | sc rc20 --reductions all | verdict=verified executions=6
// run: -DN=2 -DWRITTEN | sc rc20 --reductions none | verdict=verified executions=6
// run: -DN=3 -DBEFORE | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DLAST | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=assertion
// run: -DN=3 | xmm --reductions all | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <raveler.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y, seen;

static void *run(void *arg) {
  (void)arg;
  int mine = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#ifdef SECOND
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
#endif
#ifdef ARGUMENTS
  // Who comes last says who it is.
  if (mine == N - 1)
    atomic_store(&seen, (int)(intptr_t)arg + 1);
#endif
#ifdef NAMES
  if (mine == N - 1)
    atomic_store(&seen, (int)(uintptr_t)pthread_self() % 8 + 1);
#endif
#ifdef JOINS
  if (mine == 0)
    atomic_store(&seen, 1);
#endif
#ifdef LAST
  assert(mine != N - 1); //! assertion
#endif
  (void)mine;
  return 0;
}

int main(void) {
  pthread_t t[N];
#ifdef BEFORE
  atomic_store(&x, 7);
#endif
  for (int i = 0; i < N; i++)
#ifdef ARGUMENTS
    pthread_create(&t[i], 0, run, (void *)(intptr_t)i);
#else
    pthread_create(&t[i], 0, run, 0);
#endif
#ifdef WRITTEN
  // It can come before, between or after the updates, and each of them may follow it: 2 orders of 3 each.
  atomic_store(&x, 10);
#endif
#ifdef JOINS
  // The last of them need not have been the first.
  pthread_join(t[N - 1], 0);
  assert(atomic_load(&seen) == 1); //! assertion
#endif
  for (int i = 0; i < N; i++) {
#ifdef JOINS
    if (i == N - 1)
      break;
#endif
    pthread_join(t[i], 0);
  }
  int told = atomic_load(&seen);
  rv_observe("seen", told);
}
