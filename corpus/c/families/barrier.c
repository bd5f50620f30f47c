// about: one writer and the other threads meet at a barrier; the writer writes before it, the others read after it
// from: formula n!(LB+1)^(n-1); 31944: the release-acquire paper, GenMC 0.11; rf = co; tso and pso lie between sc and ra
// run: -DTHREADS=3 -DLB=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=96
// run: -DTHREADS=3 -DLB=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=96
// run: -DTHREADS=3 -DLB=10 | ra rc11 rc20 | verdict=verified executions=726
// run: -DTHREADS=4 -DLB=2 | ra rc11 rc20 | verdict=verified executions=648
// run: -DTHREADS=4 -DLB=10 | ra | verdict=verified executions=31944
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif

#ifndef LB
#define LB 3
#endif

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_acq_rel)

static atomic_int step, arrived, v;

static int meet(void) {
  int s = GET(&step);
  if (ADD(&arrived, 1) == THREADS - 1) {
    PUT(&arrived, 0);
    ADD(&step, 1);
    return 1;
  }
  for (int i = 0; i < LB; i++)
    if (GET(&step) != s)
      return 1;
  return 0;
}

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  if (id == 0)
    PUT(&v, 1);
  if (!meet())
    return NULL;
  if (id != 0)
    (void)GET(&v);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
