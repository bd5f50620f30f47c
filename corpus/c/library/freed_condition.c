// about: memory of a condition variable that one thread frees while others may still wait for it or signal it; nothing else
// about: in it is touched
// from: by hand: any use of a condition variable is an access to its memory, and the free must come after it
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_SIGNAL | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_SIGNAL | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_BROADCAST | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_BROADCAST | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_WAIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_WAIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int ready;

#ifndef BUG_WAIT
static void *signaller(void *arg) {
  pthread_cond_t *c = arg;
  pthread_mutex_lock(&l);
  ready = 1;
#ifdef BUG_BROADCAST
  pthread_cond_broadcast(c); //! use-after-free
#else
  pthread_cond_signal(c); //! use-after-free
#endif
  pthread_mutex_unlock(&l);
  return NULL;
}
#endif

static void *waiter(void *arg) {
  pthread_cond_t *c = arg;
  pthread_mutex_lock(&l);
#ifdef BUG_WAIT
  // Being late is always possible, so that nothing has to wake it.
  struct timespec limit = {1, 0};
  pthread_cond_timedwait(c, &l, &limit); //! use-after-free
#elif !defined BUG_SIGNAL && !defined BUG_BROADCAST
  while (!ready)
    pthread_cond_wait(c, &l);
#endif
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t s, w;
  pthread_cond_t *c = malloc(sizeof *c);
  pthread_cond_init(c, NULL);
#ifndef BUG_WAIT
  pthread_create(&s, NULL, signaller, c);
#endif
  pthread_create(&w, NULL, waiter, c);
#if defined BUG_SIGNAL || defined BUG_BROADCAST || defined BUG_WAIT
  free(c); //! use-after-free
#endif
#ifndef BUG_WAIT
  pthread_join(s, NULL);
#endif
  pthread_join(w, NULL);
#if !defined BUG_SIGNAL && !defined BUG_BROADCAST && !defined BUG_WAIT
  free(c);
#endif
}
