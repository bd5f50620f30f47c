// about: the ring where every thread but the first passes on what it read
// from: formula 2^N-1; GenMC 0.11 (10, 12); po and rf are acyclic here
// from: xmm: formula 2^N
// run: -DN=3 | rc11 rc20 | verdict=verified executions=7
// run: -DN=6 | rc11 rc20 | verdict=verified executions=63
// run: -DN=10 | rc11 rc20 | verdict=verified executions=1023
// run: -DN=10 | rc11 rc20 --equivalence co | verdict=verified executions=1023
// long: -DN=12 | rc11 rc20 | verdict=verified executions=4095
// long: -DN=14 | rc11 rc20 | verdict=verified executions=16383
// run: -DN=3 | xmm | verdict=verified executions=8
// run: -DN=6 | xmm | verdict=verified executions=64
// run: -DN=10 | xmm | verdict=verified executions=1024
// run: -DN=10 | xmm --equivalence co | verdict=verified executions=1024
// run: -DN=12 | xmm | verdict=verified executions=4096
// run: -DN=12 | xmm --equivalence co | verdict=verified executions=4096
// run: -DN=14 | xmm | verdict=verified executions=16384
// run: -DN=14 | xmm --equivalence co | verdict=verified executions=16384
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
  atomic_store_explicit(&x[next], i == 0 ? 1 : r, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, pass, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
