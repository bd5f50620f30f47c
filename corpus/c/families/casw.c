// about: each thread tries to replace 0 by 1, then writes a value of its own
// from: GenMC 0.11, Nidhugg, the test suite of GenMC; one location, so equal in all models
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=4
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=24
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=200
// run: -DN=5 | sc ra rc11 rc20 | verdict=verified executions=2160
// run: -DN=2 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=6
// run: -DN=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=66
// run: -DN=4 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=1200
// long: -DN=5 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=32880
// run: -DN=4 | xmm | verdict=verified executions=200
// run: -DN=4 | xmm --equivalence co | verdict=verified executions=1200
// run: -DN=5 | xmm --equivalence co | verdict=verified executions=32880
// run: -DN=4 | xmm --equivalence co --report lb-races --races ignore | lb_races=4800
// run: -DN=5 | xmm --equivalence co --report lb-races --races ignore | lb_races=192480
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *swap_and_write(void *arg) {
  int i = (int)(intptr_t)arg;
  int expected = 0;
  atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed, memory_order_relaxed);
  atomic_store_explicit(&x, i + 3, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, swap_and_write, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
