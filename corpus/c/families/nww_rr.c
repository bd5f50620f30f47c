// about: N threads write x and y, main reads both after joining them
// from: rf: formula N^2, co: (N!)^2; the lock-aware paper, GenMC 0.11
// run: -DN=4 | rc11 rc20 | verdict=verified executions=16
// run: -DN=6 | rc11 rc20 | verdict=verified executions=36
// run: -DN=8 | rc11 rc20 | verdict=verified executions=64
// run: -DN=4 | rc11 rc20 --equivalence co | verdict=verified executions=576
// run: -DN=5 | rc11 --equivalence co | verdict=verified executions=14400
// long: -DN=6 | rc11 --equivalence co | verdict=verified executions=518400
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x, y;

static void *writer(void *arg) {
  int i = (int)(intptr_t)arg + 1;
  atomic_store_explicit(&x, i, memory_order_relaxed);
  atomic_store_explicit(&y, i, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, writer, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  (void)atomic_load_explicit(&y, memory_order_relaxed);
}
