// about: N writers, one reader: the order of the writes matters to nobody
// from: rf: formula N+1 (the release-acquire paper 7..10, Nidhugg, GenMC 0.11), co: (N+1)!; one location, so equal in all models
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=4
// run: -DN=7 | sc tso pso ra rc11 rc20 | verdict=verified executions=8
// run: -DN=10 | sc tso pso ra rc11 rc20 | verdict=verified executions=11
// run: -DN=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=24
// run: -DN=6 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=5040
// long: -DN=7 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=40320
// long: -DN=8 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=362880
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg) {
  int i = (int)(intptr_t)arg;
  atomic_store_explicit(&x, i, memory_order_relaxed);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i - 1], NULL, writer, (void *)(intptr_t)i);
  pthread_create(&t[N], NULL, reader, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
