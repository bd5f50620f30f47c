// about: load buffering in pairs: thread i reads its location and writes its partner's
// from: formula 3^(N/2); GenMC 0.11 (10, 14), the GenMC-XMM thesis; po and rf are acyclic here
// from: xmm: formula 4^(N/2)
// run: -DN=4 | rc11 rc20 | verdict=verified executions=9
// run: -DN=6 | rc11 rc20 | verdict=verified executions=27
// run: -DN=10 | rc11 rc20 | verdict=verified executions=243
// run: -DN=14 | rc11 rc20 | verdict=verified executions=2187
// run: -DN=10 | rc11 rc20 --equivalence co | verdict=verified executions=243
// long: -DN=12 | rc11 rc20 | verdict=verified executions=729
// run: -DN=4 | xmm | verdict=verified executions=16
// run: -DN=6 | xmm | verdict=verified executions=64
// run: -DN=10 | xmm | verdict=verified executions=1024
// run: -DN=10 | xmm --equivalence co | verdict=verified executions=1024
// run: -DN=12 | xmm | verdict=verified executions=4096
// run: -DN=12 | xmm --equivalence co | verdict=verified executions=4096
// run: -DN=14 | xmm | verdict=verified executions=16384
// run: -DN=14 | xmm --equivalence co | verdict=verified executions=16384
// run: -DN=10 | xmm --equivalence co --report lb-races --races ignore | lb_races=2560
// run: -DN=12 | xmm --equivalence co --report lb-races --races ignore | lb_races=12288
// run: -DN=14 | xmm --equivalence co --report lb-races --races ignore | lb_races=57344
// run: -DN=10 | xmm -j 2 | verdict=verified executions=1024
// run: -DN=10 | xmm -j 3 --equivalence co --report lb-races --races ignore | executions=1024 lb_races=2560
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
  int next = i ^ 1;
  (void)atomic_load_explicit(&x[i], memory_order_relaxed);
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
