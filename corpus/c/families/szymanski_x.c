// about: Szymanski's algorithm with the waits taken out and a fence after every write; N rounds
// from: GenMC 0.11, the GenMC-XMM thesis (co)
// from: xmm: brute force (the thesis has 2930 for two rounds by co, more than there are consistent graphs)
// run: -DN=1 | rc11 rc20 | verdict=verified executions=19
// run: -DN=1 | rc11 rc20 --equivalence co | verdict=verified executions=32
// run: -DN=2 | rc11 rc20 | verdict=verified executions=869
// run: -DN=2 | rc11 rc20 --equivalence co | verdict=verified executions=2216
// run: -DN=1 | xmm | verdict=verified executions=22
// run: -DN=1 | xmm --equivalence co | verdict=verified executions=36
// run: -DN=2 | xmm | verdict=verified executions=1224
// run: -DN=2 | xmm --equivalence co | verdict=verified executions=2884
// run: -DN=1 | xmm --equivalence co --report lb-races --races ignore | lb_races=40
// run: -DN=2 | xmm -j 2 --equivalence co | verdict=verified executions=2884
// run: -DN=1 | xmm -j 3 --equivalence co --report lb-races --races ignore | executions=36 lb_races=40
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int flag[2], x;

static void put_and_fence(atomic_int *p, int v) {
  PUT(p, v);
  atomic_thread_fence(memory_order_seq_cst);
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  atomic_int *mine = &flag[me], *theirs = &flag[1 - me];
  for (int k = 0; k < N; k++) {
    put_and_fence(mine, 1);
    put_and_fence(mine, 3);
    if (GET(theirs) == 1)
      put_and_fence(mine, 2);
    put_and_fence(mine, 4);
    put_and_fence(&x, me);
    PUT(mine, 0);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
