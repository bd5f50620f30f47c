// about: a thread that does not get the lock at once does without; both happen
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DNEVER_FAILS | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DNEVER_SUCCEEDS | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DNO_LOCK | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int d, got[2];

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  if (pthread_mutex_trylock(&l) == 0) {
    d++; //! race
    got[me] = 1;
    pthread_mutex_unlock(&l);
  }
#ifdef NO_LOCK
  else
    d++; //! race
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifndef NO_LOCK
  assert(d == got[0] + got[1] && d >= 1);
#endif
#ifdef NEVER_FAILS
  assert(d == 2); //! assertion
#endif
#ifdef NEVER_SUCCEEDS
  assert(d == 1); //! assertion
#endif
}
