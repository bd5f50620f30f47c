// about: two threads write 1 N times each, a third reads twice
// from: rf: formula 3N^2+3N+1, co: C(2N,N)(2N+1)(N+1); the release-acquire paper, GenMC 0.11; equal in all models
// run: -DN=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=37
// run: -DN=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=91
// run: -DN=10 | sc tso pso ra rc11 rc20 | verdict=verified executions=331
// run: -DN=15 | sc ra rc11 rc20 | verdict=verified executions=721
// run: -DN=20 | sc ra rc11 rc20 | verdict=verified executions=1261
// run: -DN=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=560
// run: -DN=5 | rc20 --equivalence co | verdict=verified executions=16632
// long: -DN=5 | sc ra rc11 --equivalence co | verdict=verified executions=16632
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *arg) {
  (void)arg;
  for (int i = 0; i < N; i++)
    atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, writer, (void *)(intptr_t)0);
  pthread_create(&t[1], NULL, writer, (void *)(intptr_t)1);
  pthread_create(&t[2], NULL, reader, (void *)(intptr_t)2);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
