// about: a timed lock is late only if somebody else has the lock
// from: by hand: the other thread's section before, after, or at the time of the try
// run: | sc tso pso ra rc11 rc20 | executions=3 verdict=verified
// run: -DBUG | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DALONE | sc tso pso ra rc11 rc20 | executions=1 verdict=verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
#ifndef ALONE
  pthread_create(&t, NULL, run, NULL);
#endif
  int error = pthread_mutex_timedlock(&l, &until);
#ifdef BUG
  assert(error == 0); //! assertion
#elif defined ALONE
  assert(error == 0);
#else
  assert(error == 0 || error == ETIMEDOUT);
#endif
  if (error == 0)
    pthread_mutex_unlock(&l);
#ifndef ALONE
  pthread_join(t, NULL);
#endif
}
