// about: Szymanski's algorithm, R rounds; a thread that has waited LB times gives up; exclusion is not claimed
// from: GenMC 0.11; sc rf and tso co of one round also Nidhugg; relaxed pso: Nidhugg; all accesses acq/rel, so ra = rc11 = rc20
// run: -DR=1 -DLB=2 | sc | verdict=verified executions=289
// run: -DR=1 -DLB=2 | tso ra rc11 rc20 | verdict=verified executions=3162
// run: -DR=1 -DLB=2 | sc --equivalence co | verdict=verified executions=289
// run: -DR=1 -DLB=2 | tso ra rc11 rc20 --equivalence co | verdict=verified executions=3595
// run: -DR=1 -DLB=2 -DRELAXED | pso --equivalence co | verdict=verified executions=6009
// run: -DR=1 -DLB=3 | ra --equivalence co | verdict=verified executions=10254
// long: -DR=1 -DLB=6 | ra --equivalence co | verdict=verified executions=124587
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

static atomic_int flag[2], x;

static int below(atomic_int *p, int bound) {
  for (int i = 0; i < LB; i++)
    if (GET(p) < bound)
      return 1;
  return 0;
}

static int equal(atomic_int *p, int value) {
  for (int i = 0; i < LB; i++)
    if (GET(p) == value)
      return 1;
  return 0;
}

static int below_2_or_above_3(atomic_int *p) {
  for (int i = 0; i < LB; i++)
    if (GET(p) < 2 || GET(p) > 3)
      return 1;
  return 0;
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  atomic_int *mine = &flag[me], *theirs = &flag[1 - me];
  for (int k = 0; k < R; k++) {
    PUT(mine, 1);
    if (!below(theirs, 3))
      return NULL;
    PUT(mine, 3);
    if (GET(theirs) == 1) {
      PUT(mine, 2);
      if (!equal(theirs, 4))
        return NULL;
    }
    PUT(mine, 4);
    if (!below(theirs, 2))
      return NULL;
    PUT(&x, me + 1);
    (void)GET(&x);
    if (!below_2_or_above_3(theirs))
      return NULL;
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
