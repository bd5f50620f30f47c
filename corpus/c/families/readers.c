// about: one writer, N readers
// from: formula 2^N; GenMC 0.11, Nidhugg; one location, so equal in all models
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=4
// run: -DN=8 | sc tso pso ra rc11 rc20 | verdict=verified executions=256
// run: -DN=8 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=256
// run: -DN=13 | rc11 | verdict=verified executions=8192
// long: -DN=13 | sc tso pso ra rc20 | verdict=verified executions=8192
// long: -DN=16 | sc tso pso ra rc11 rc20 | verdict=verified executions=65536
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
  atomic_store_explicit(&x, 42, memory_order_relaxed);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, writer, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, reader, (void *)(intptr_t)i);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
