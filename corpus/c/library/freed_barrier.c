// about: memory of a barrier that one thread frees while another may still use the barrier; nothing else in it is touched
// from: by hand: waiting at a barrier is an access to its memory until the call returns, and the free must come after it.
// from: A decision (docs/libraries.md): being released from a barrier does not mean that the others' calls have returned,
// from: not even for the thread that is told to be the serial one
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_SERIAL | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_SERIAL | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  pthread_barrier_t *b = arg;
  int serial = pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD; //! use-after-free
#ifdef BUG_SERIAL
  if (serial)
    free(b); //! use-after-free
#endif
  (void)serial;
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_barrier_t *b = malloc(sizeof *b);
  pthread_barrier_init(b, NULL, 2);
  pthread_create(&t, NULL, worker, b);
  pthread_create(&u, NULL, worker, b);
#ifdef BUG_NO_JOIN
  free(b); //! use-after-free
#endif
  pthread_join(t, NULL);
  pthread_join(u, NULL);
#if !defined BUG_NO_JOIN && !defined BUG_SERIAL
  free(b);
#endif
}
