// about: main counts an index up and starts a thread after each step, which marks the entry it sees
// from: rf: formula N!, co: (2N-1)!!; the release-acquire paper, GenMC 0.11, Nidhugg; tso and pso lie between sc and ra
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=24
// run: -DN=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=120
// run: -DN=6 | sc ra rc11 rc20 | verdict=verified executions=720
// run: -DN=7 | ra | verdict=verified executions=5040
// run: -DN=4 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=105
// run: -DN=5 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=945
// run: -DN=6 | ra --equivalence co | verdict=verified executions=10395
// long: -DN=7 | sc tso pso rc11 rc20 | verdict=verified executions=5040
// long: -DN=8 | sc ra rc11 | verdict=verified executions=40320
// long: -DN=9 | sc ra rc11 | verdict=verified executions=362880
// long: -DN=7 | sc ra rc11 --equivalence co | verdict=verified executions=135135
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int idx = -1;
static atomic_int array[N];

static void *mark(void *arg) {
  (void)arg;
  int i = atomic_load_explicit(&idx, memory_order_acquire);
  atomic_store_explicit(&array[i], 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    int v = atomic_load_explicit(&idx, memory_order_acquire);
    atomic_store_explicit(&idx, v + 1, memory_order_release);
    pthread_create(&t[i], NULL, mark, (void *)(intptr_t)i);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
