// about: a thread that was woken frees the condition variable at once, which only a signal sent with the mutex held allows
// from: by hand: being woken does not mean that the call which sent the signal has returned. Where the signal was sent with
// from: the mutex held, getting the mutex back means so, and the mutex orders the two
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBROADCAST | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBROADCAST | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DJOINED -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DJOINED -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBROADCAST -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBROADCAST -DBUG_WITHOUT_MUTEX | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#include <pthread.h>
#include <stdlib.h>

#ifdef BROADCAST
#define SIGNAL pthread_cond_broadcast
#else
#define SIGNAL pthread_cond_signal
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *signaller(void *arg) {
  pthread_cond_t *c = arg;
  pthread_mutex_lock(&l);
  ready = 1;
#ifdef BUG_WITHOUT_MUTEX
  pthread_mutex_unlock(&l);
  SIGNAL(c); //! use-after-free
#else
  SIGNAL(c);
  pthread_mutex_unlock(&l);
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_cond_t *c = malloc(sizeof *c);
  pthread_cond_init(c, NULL);
  pthread_create(&t, NULL, signaller, c);
  int woken = 0;
  pthread_mutex_lock(&l);
  while (!ready) {
    pthread_cond_wait(c, &l);
    woken = 1;
  }
  pthread_mutex_unlock(&l);
  // A thread that saw the flag without waiting knows nothing of the signal in either case.
#ifdef JOINED
  // The thread has ended, so its call has returned.
  pthread_join(t, NULL);
  free(c);
  (void)woken;
#else
  if (woken)
    free(c); //! use-after-free
  pthread_join(t, NULL);
  if (!woken)
    free(c);
#endif
}
