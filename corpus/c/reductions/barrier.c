// about: in which order threads come to a barrier is no part of an execution where as many come as it waits for
// from: by hand: without reductions a factor of N! for each round; with them nothing, but a factor of N for each round if
// from: the program looks at who is the serial one. More threads than the barrier waits for: nothing is left out
// run: -DN=4 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=4 | sc tso pso sra ra rc11 rc20 --reductions barriers --equivalence co | verdict=verified executions=1
// run: -DN=4 | sc rc20 --reductions none | verdict=verified executions=24
// run: -DN=7 | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=30 | rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DROUNDS=4 | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=3 -DROUNDS=2 -DSERIAL | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=9
// run: -DN=3 -DROUNDS=2 -DSERIAL | sc rc20 --reductions none | verdict=verified executions=1296
// run: -DN=3 -DSERIAL | rc20 --reductions all -j 2 | verdict=verified executions=3
// run: -DN=3 -DMAIN | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DN=4 -DCOUNT=2 | sc rc20 --reductions all | verdict=verified executions=24
// run: -DN=3 -DCOUNT=2 | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=deadlock
// run: -DN=2 -DCOUNT=3 | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=deadlock executions=0
// run: -DN=3 -DTWICE | sc rc20 --reductions all | verdict=verified executions=36
// run: -DN=3 | xmm --reductions all | verdict=verified executions=6
// run: -DN=3 | sc --engine interleaving --reductions all | verdict=verified
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef COUNT
#ifdef MAIN
#define COUNT (N + 1)
#else
#define COUNT N
#endif
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t b;
static int come[N];
static int serials[N];

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int i = 1; i <= ROUNDS; i++) {
#if COUNT >= N
    come[me] = i;
#endif
#ifdef SERIAL
    serials[me] += pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
#else
    pthread_barrier_wait(&b); //! deadlock
#endif
#if COUNT >= N
    for (int other = 0; other < N; other++)
      assert(come[other] == i);
#if ROUNDS > 1
    pthread_barrier_wait(&b);
#endif
#endif
  }
  return 0;
}

static void once(void) {
  pthread_t t[N];
  pthread_barrier_init(&b, 0, COUNT);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, run, (void *)(intptr_t)i);
#ifdef MAIN
  pthread_barrier_wait(&b);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0); //! deadlock
  pthread_barrier_destroy(&b);
}

int main(void) {
  once();
#ifdef TWICE
  once();
#endif
#ifdef SERIAL
  int all = 0;
  for (int i = 0; i < N; i++)
    all += serials[i];
  assert(all == ROUNDS);
#endif
}
