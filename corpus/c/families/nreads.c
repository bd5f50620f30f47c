// about: N threads read what nobody writes
// from: formula 1; the lock-aware paper, GenMC 0.11; one location, so equal in all models
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DN=8 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *reader(void *arg) {
  (void)arg;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, reader, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
