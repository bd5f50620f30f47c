// about: a ticket lock; a thread that has looked LB times for its turn gives up
// from: formula 6(L(L(L+1)/2+L+1)+L+1) for three threads and 2(L+1) for two, L=LB; 4026: the release-acquire paper, GenMC 0.11; rf = co
// run: -DTHREADS=2 -DLB=3 | ra rc11 rc20 | verdict=verified executions=8
// run: -DTHREADS=3 -DLB=2 | ra rc11 rc20 | verdict=verified executions=90
// run: -DTHREADS=3 -DLB=3 | ra rc11 rc20 | verdict=verified executions=204
// run: -DTHREADS=3 -DLB=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=666
// run: -DTHREADS=3 -DLB=5 | sc tso ra rc11 rc20 --equivalence co | verdict=verified executions=666
// run: -DTHREADS=3 -DLB=5 -DDATUM | ra rc11 rc20 | verdict=verified executions=666
// run: -DTHREADS=3 -DLB=5 -DDATUM -DRELAXED | pso --equivalence co | verdict=verified executions=6426
// run: -DTHREADS=3 -DLB=10 | ra rc11 rc20 | verdict=verified executions=4026
// run: -DTHREADS=3 -DLB=10 | ra --equivalence co | verdict=verified executions=4026
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

#ifdef RELAXED
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_relaxed)
#else
#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_acq_rel)
#endif

static atomic_int next, owner;
#ifdef DATUM
static atomic_int datum;
#endif

static int wait_turn(int ticket) {
  for (int i = 0; i < LB; i++)
    if (GET(&owner) == ticket)
      return 1;
  return 0;
}

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  (void)id;
  int ticket = ADD(&next, 1);
  if (!wait_turn(ticket))
    return NULL;
#ifdef DATUM
  PUT(&datum, id + 1);
  (void)GET(&datum);
#endif
  int now = GET(&owner);
  PUT(&owner, now + 1);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
