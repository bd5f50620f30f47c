// about: N readers of x, N writers of y, and two threads that decide by y and z whether x is written
// from: rf: formula 2^N+2N+1, co: N! times that; the release-acquire paper, GenMC 0.11, Nidhugg; tso and pso lie between sc and ra
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=25
// run: -DN=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=43
// run: -DN=6 | sc tso pso ra rc11 rc20 | verdict=verified executions=77
// run: -DN=8 | sc ra rc11 rc20 | verdict=verified executions=273
// run: -DN=10 | ra rc11 rc20 | verdict=verified executions=1045
// run: -DN=4 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=600
// run: -DN=5 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=5160
// long: -DN=12 | sc tso pso ra rc11 rc20 | verdict=verified executions=4121
// long: -DN=6 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=55440
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x, y, z;

static void *read_x(void *arg) {
  (void)arg;
  (void)atomic_load_explicit(&x, memory_order_acquire);
  return NULL;
}

static void *write_y(void *arg) {
  (void)arg;
  atomic_store_explicit(&y, 1, memory_order_release);
  return NULL;
}

static void *decide_z(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&y, memory_order_acquire) == 0)
    atomic_store_explicit(&z, 1, memory_order_release);
  return NULL;
}

static void *decide_x(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&z, memory_order_acquire) == 1)
    if (atomic_load_explicit(&y, memory_order_acquire) == 0)
      atomic_store_explicit(&x, 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t t[2 * N + 2];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, read_x, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_create(&t[N + i], NULL, write_y, (void *)(intptr_t)i);
  pthread_create(&t[2 * N], NULL, decide_z, NULL);
  pthread_create(&t[2 * N + 1], NULL, decide_x, NULL);
  for (int i = 0; i < 2 * N + 2; i++)
    pthread_join(t[i], NULL);
}
