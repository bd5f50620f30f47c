// about: N threads add one to a counter
// from: formula N!; GenMC 0.11, Nidhugg, the GenMC-XMM thesis; one location, so equal in all models
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DN=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=24
// run: -DN=6 | sc tso pso ra rc11 rc20 | verdict=verified executions=720
// run: -DN=6 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=720
// run: -DN=7 | rc11 | verdict=verified executions=5040
// long: -DN=8 | sc tso pso ra rc11 rc20 | verdict=verified executions=40320
// run: -DN=6 | xmm | verdict=verified executions=720
// run: -DN=6 | xmm --equivalence co | verdict=verified executions=720
// run: -DN=7 | xmm | verdict=verified executions=5040
// run: -DN=7 | xmm --equivalence co | verdict=verified executions=5040
// run: -DN=6 | xmm --equivalence co --report lb-races --races ignore | lb_races=10800
// run: -DN=7 | xmm --equivalence co --report lb-races --races ignore | lb_races=105840
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *add(void *arg) {
  (void)arg;
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, add, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
