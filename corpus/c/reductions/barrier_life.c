// about: barriers whose arrivals have no order: what may still be wrong is found
// from: by hand
// run: -DUNORDERED | rc11 rc20 --reductions all --all | verdict=violation violation=race
// run: -DDESTROY | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=lock-misuse
// run: -DFREE | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=use-after-free
// run: -DFREE -DSERIAL | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=use-after-free
// run: -DFREE -DOTHER | sc tso pso ra rc11 rc20 --reductions all | verdict=verified
// run: -DFREE -DOTHER | sc tso pso ra rc11 rc20 --reductions none | verdict=verified
// run: -DFREE -DJOINED | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -DUNINITIALISED | sc rc20 --reductions all | verdict=violation violation=lock-misuse
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_barrier_t *b;
static int before[2], late;

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  before[me] = 1;
#if defined(SERIAL) || defined(OTHER)
  int serial = pthread_barrier_wait(b); //! lock-misuse //! use-after-free
#else
  int serial = 0;
  pthread_barrier_wait(b); //! lock-misuse //! use-after-free
#endif
  int seen = before[1 - me];
#ifdef UNORDERED
  if (me == 0)
    late = 1; //! race
  else
    seen += late; //! race
#endif
#ifdef FREE
#ifdef SERIAL
  if (serial)
    free(b); //! use-after-free
#elif defined(OTHER)
  // It was told after the serial one had done all that it does there.
  if (!serial)
    free(b);
#elif !defined(JOINED)
  if (me == 0)
    free(b); //! use-after-free
#endif
#endif
  (void)serial;
  (void)seen;
  return 0;
}

int main(void) {
  pthread_t t[2];
  b = calloc(1, sizeof *b);
#ifndef UNINITIALISED
  pthread_barrier_init(b, 0, 2);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void *)(intptr_t)i);
#ifdef DESTROY
  pthread_barrier_destroy(b); //! lock-misuse
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
#if defined(FREE) && defined(JOINED)
  free(b);
#endif
}
