// about: Dekker's algorithm, R rounds; a thread that has waited LB times gives up; exclusion is not claimed
// from: GenMC 0.11; sc rf and tso co of one round also Nidhugg; relaxed pso: Nidhugg; all accesses acq/rel, so ra = rc11 = rc20
// run: -DR=1 -DLB=2 | sc | verdict=verified executions=25
// run: -DR=1 -DLB=2 | tso ra rc11 rc20 | verdict=verified executions=28
// run: -DR=1 -DLB=2 | sc --equivalence co | verdict=verified executions=25
// run: -DR=1 -DLB=2 | tso ra rc11 rc20 --equivalence co | verdict=verified executions=33
// run: -DR=1 -DLB=2 -DRELAXED | pso --equivalence co | verdict=verified executions=64
// run: -DR=2 -DLB=2 | sc | verdict=verified executions=1599
// run: -DR=2 -DLB=2 | tso | verdict=verified executions=4615
// run: -DR=2 -DLB=2 | ra rc11 rc20 | verdict=verified executions=4657
// run: -DR=2 -DLB=2 | sc --equivalence co | verdict=verified executions=1599
// run: -DR=2 -DLB=2 | tso --equivalence co | verdict=verified executions=6763
// run: -DR=2 -DLB=2 | ra rc11 rc20 --equivalence co | verdict=verified executions=6987
// long: -DR=2 -DLB=3 | ra --equivalence co | verdict=verified executions=57795
// long: -DR=2 -DLB=4 | ra --equivalence co | verdict=verified executions=378861
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef R
#define R 1
#endif

#ifndef LB
#define LB 2
#endif

#ifdef RELAXED
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#else
#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#endif

static atomic_int flag[2], turn, x;

static int wait_turn(int me) {
  for (int i = 0; i < LB; i++)
    if (GET(&turn) == me)
      return 1;
  return 0;
}

static int enter(int me) {
  PUT(&flag[me], 1);
  for (int i = 0; i < LB; i++) {
    if (GET(&flag[1 - me]) == 0)
      return 1;
    if (GET(&turn) != me) {
      PUT(&flag[me], 0);
      if (!wait_turn(me))
        return 0;
      PUT(&flag[me], 1);
    }
  }
  return 0;
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int k = 0; k < R; k++) {
    if (!enter(me))
      return NULL;
    PUT(&x, me + 1);
    (void)GET(&x);
    PUT(&turn, 1 - me);
    PUT(&flag[me], 0);
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
