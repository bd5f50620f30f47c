// about: the ring where every thread but the first writes only if it read something
// from: formula N; GenMC 0.11 (10, 14); po and rf are acyclic here
// from: xmm: formula N+1
// run: -DN=3 | rc11 rc20 | verdict=verified executions=3
// run: -DN=6 | rc11 rc20 | verdict=verified executions=6
// run: -DN=10 | rc11 rc20 | verdict=verified executions=10
// run: -DN=14 | rc11 rc20 | verdict=verified executions=14
// run: -DN=10 | rc11 rc20 --equivalence co | verdict=verified executions=10
// run: -DN=3 | xmm | verdict=verified executions=4
// run: -DN=6 | xmm | verdict=verified executions=7
// run: -DN=10 | xmm | verdict=verified executions=11
// run: -DN=12 | xmm | verdict=verified executions=13
// run: -DN=14 | xmm | verdict=verified executions=15
// run: -DN=10 | xmm --equivalence co | verdict=verified executions=11
// run: -DN=12 | xmm --equivalence co | verdict=verified executions=13
// run: -DN=14 | xmm --equivalence co | verdict=verified executions=15
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x[N];

static void *pass(void *arg) {
  int i = (int)(intptr_t)arg;
  int next = (i + 1) % N;
  int r = atomic_load_explicit(&x[i], memory_order_relaxed);
  if (i == 0 || r != 0)
    atomic_store_explicit(&x[next], 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, pass, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
