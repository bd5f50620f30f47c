// about: Lamport's fast mutex, R rounds; a thread that has waited LB times gives up; exclusion is not claimed
// from: GenMC 0.11; sc rf and tso co of one round also Nidhugg; relaxed pso: Nidhugg; all accesses acq/rel, so ra = rc11 = rc20
// run: -DR=1 -DLB=2 | sc | verdict=verified executions=38
// run: -DR=1 -DLB=2 | tso ra rc11 rc20 | verdict=verified executions=41
// run: -DR=1 -DLB=2 | sc --equivalence co | verdict=verified executions=52
// run: -DR=1 -DLB=2 | tso --equivalence co | verdict=verified executions=88
// run: -DR=1 -DLB=2 | ra rc11 rc20 --equivalence co | verdict=verified executions=96
// run: -DR=1 -DLB=2 -DRELAXED | pso --equivalence co | verdict=verified executions=414
// long: -DR=2 -DLB=2 | ra --equivalence co | verdict=verified executions=131922
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

static atomic_int busy[2], x, y, z;

static int wait_zero(atomic_int *p) {
  for (int i = 0; i < LB; i++)
    if (GET(p) == 0)
      return 1;
  return 0;
}

static int enter(int me) {
  int mark = me + 1;
  for (int i = 0; i < LB; i++) {
    PUT(&busy[me], 1);
    PUT(&x, mark);
    if (GET(&y) != 0) {
      PUT(&busy[me], 0);
      if (!wait_zero(&y))
        return 0;
      continue;
    }
    PUT(&y, mark);
    if (GET(&x) == mark)
      return 1;
    PUT(&busy[me], 0);
    if (!wait_zero(&busy[1 - me]))
      return 0;
    if (GET(&y) == mark)
      return 1;
    if (!wait_zero(&y))
      return 0;
  }
  return 0;
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int k = 0; k < R; k++) {
    if (!enter(me))
      return NULL;
    PUT(&z, me + 1);
    (void)GET(&z);
    PUT(&y, 0);
    PUT(&busy[me], 0);
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
