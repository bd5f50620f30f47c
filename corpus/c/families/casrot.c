// about: thread i replaces i-1 by i, if it finds it
// from: GenMC 0.11, Nidhugg, the GenMC-XMM thesis, the test suite of GenMC; one location, so equal in all models
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=5
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=14
// run: -DN=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=43
// run: -DN=6 | sc tso pso ra rc11 rc20 | verdict=verified executions=144
// run: -DN=6 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=144
// run: -DN=8 | sc rc11 rc20 | verdict=verified executions=2048
// run: -DN=9 | rc11 | verdict=verified executions=8597
// long: -DN=9 | sc tso pso ra rc20 | verdict=verified executions=8597
// long: -DN=10 | sc tso pso ra rc11 rc20 | verdict=verified executions=38486
// long: -DN=10 | rc11 --equivalence co | verdict=verified executions=38486
// run: -DN=6 | xmm | verdict=verified executions=144
// run: -DN=6 | xmm --equivalence co | verdict=verified executions=144
// run: -DN=9 | xmm | verdict=verified executions=8597
// run: -DN=9 | xmm --equivalence co | verdict=verified executions=8597
// run: -DN=10 | xmm | verdict=verified executions=38486
// run: -DN=10 | xmm --equivalence co | verdict=verified executions=38486
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *rotate(void *arg) {
  int i = (int)(intptr_t)arg + 1;
  int expected = i - 1;
  atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, rotate, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
