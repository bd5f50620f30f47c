// about: N threads add one to a counter, then to another
// from: formula (N!)^2; the test suite of GenMC; GenMC 0.11
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=4
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=36
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=576
// run: -DN=3 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=36
// long: -DN=5 | sc tso ra rc11 rc20 | verdict=verified executions=14400
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void *add(void *arg) {
  (void)arg;
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, add, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
