// about: N threads write what nobody reads
// from: rf: formula 1, co: N!; the lock-aware paper, GenMC 0.11; one location, so equal in all models
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DN=8 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DN=4 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=24
// run: -DN=6 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=720
// long: -DN=8 | rc11 rc20 --equivalence co | verdict=verified executions=40320
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 42, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, writer, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
