// about: the queue lock of Craig, Landin and Hagersten; a thread that has looked LB times at its predecessor gives up
// from: GenMC 0.11; sc also Nidhugg; rf = co; tso and pso lie between sc and ra
// run: -DTHREADS=3 -DLB=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=78
// run: -DTHREADS=3 -DLB=3 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=78
// run: -DTHREADS=3 -DLB=10 | ra rc11 rc20 | verdict=verified executions=666
// run: -DTHREADS=3 -DLB=10 | ra rc11 rc20 --equivalence co | verdict=verified executions=666
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

static atomic_int waiting[THREADS + 1];
static atomic_int tail = THREADS;

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  PUT(&waiting[me], 1);
  int before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  for (int i = 0; i < LB; i++) {
    if (GET(&waiting[before]) == 0) {
      PUT(&waiting[me], 0);
      return NULL;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
