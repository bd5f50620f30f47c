// about: more threads come to a barrier than it waits for: they go on group by group
// from: by hand: which threads form a group follows from the order in which they come, and all orders are possible: N! executions
// from: for one round, and as many for each further round of as many threads as the barrier waits for; a group that is not full
// from: waits for ever
// run: -DN=2 -DCOUNT=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DN=4 -DCOUNT=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=24
// run: -DN=4 -DCOUNT=2 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=24
// run: -DN=4 -DCOUNT=1 | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DN=4 -DCOUNT=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=24
// run: -DN=6 -DCOUNT=3 | rc20 | verdict=verified executions=720
// run: -DN=6 -DCOUNT=2 | rc20 | verdict=verified executions=720
// run: -DN=2 -DCOUNT=2 -DROUNDS=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=8
// run: -DN=2 -DCOUNT=2 -DROUNDS=8 | rc20 | verdict=verified executions=256
// run: -DN=3 -DCOUNT=3 -DROUNDS=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=36
// run: -DN=3 -DCOUNT=2 | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DN=5 -DCOUNT=2 | rc20 | verdict=violation violation=deadlock
// run: -DN=1 -DCOUNT=2 | sc rc20 | verdict=violation violation=deadlock
// run: -DN=4 -DCOUNT=2 -DSERIAL=2 | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DN=4 -DCOUNT=4 -DSERIAL=1 | sc rc20 | verdict=verified
// run: -DN=2 -DCOUNT=2 -DDATA | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DN=4 -DCOUNT=2 -DDATA | rc11 rc20 | verdict=violation violation=race
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t b;
static int told[N];
static int data;

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
#ifdef DATA
  // The others of a group of two see it; of two groups the one that comes first may not.
  if (me == 0)
    data = 1; //! race
#endif
  for (int i = 0; i < ROUNDS; i++) {
    int serial = pthread_barrier_wait(&b); //! deadlock
    if (serial)
      told[me] = 1;
  }
#ifdef DATA
  if (me != 0) {
    int seen = data; //! race
    assert(seen == 1 || N > 2);
  }
#endif
  return 0;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&b, 0, COUNT);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0); //! deadlock
#ifdef SERIAL
  int serials = 0;
  for (int i = 0; i < N; i++)
    serials += told[i];
  assert(serials == SERIAL);
#endif
  pthread_barrier_destroy(&b);
  return 0;
}
