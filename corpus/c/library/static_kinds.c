// about: mutexes made recursive or error-checking by their initialisers, in variables, arrays and local variables
// from: by hand
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_NORMAL | sc rc20 | verdict=violation violation=deadlock
// run: -DBUG_UNLOCK | sc rc20 | verdict=violation violation=unlock-not-held
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct {
  int n;
  pthread_mutex_t m[2];
} s = {1, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP}};

static void *run(void *arg) {
  pthread_mutex_lock(&r);
  pthread_mutex_lock(&r);
  s.n++;
  assert(pthread_mutex_trylock(&r) == 0);
  pthread_mutex_unlock(&r);
  pthread_mutex_unlock(&r);
  s.n++;
  pthread_mutex_unlock(&r);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  run(NULL);
  pthread_join(t, NULL);
  assert(s.n == 5);
  assert(pthread_mutex_unlock(&s.m[1]) == EPERM);
  pthread_mutex_lock(&s.m[1]);
  assert(pthread_mutex_lock(&s.m[1]) == EDEADLK);
  assert(pthread_mutex_trylock(&s.m[1]) == EBUSY);
  pthread_mutex_unlock(&s.m[1]);
#ifdef BUG_NORMAL
  pthread_mutex_lock(&s.m[0]);
  pthread_mutex_lock(&s.m[0]); //! deadlock
#elif defined BUG_UNLOCK
  pthread_mutex_unlock(&s.m[0]); //! unlock-not-held
#endif
}
