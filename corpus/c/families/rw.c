// about: each thread reads, then writes a value of its own
// from: rf: formula (N+1)^(N-1), co: formula (N!)^2; GenMC 0.11, Nidhugg, the lock-aware paper; one location, so equal in all models
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=3
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=16
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=125
// run: -DN=5 | sc ra rc11 rc20 | verdict=verified executions=1296
// run: -DN=6 | rc11 | verdict=verified executions=16807
// run: -DN=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=36
// run: -DN=4 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=576
// run: -DN=5 | rc11 --equivalence co | verdict=verified executions=14400
// long: -DN=6 | sc tso pso ra rc20 | verdict=verified executions=16807
// long: -DN=7 | rc11 | verdict=verified executions=262144
// long: -DN=8 | rc11 | verdict=verified executions=4782969
// long: -DN=6 | sc ra rc11 --equivalence co | verdict=verified executions=518400
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *read_write(void *arg) {
  int i = (int)(intptr_t)arg + 1;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, i, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, read_write, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
