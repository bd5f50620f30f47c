// about: one thread polls x under a mutex (in the rotation ROT), the other tries the mutex until it gets it and sets x. From
// about: every state the poller can give the mutex back and the other one take it, so nobody is stuck: a schedule in which the
// about: tries come at the wrong moment again and again is unlucky, no violation. UNSET: x is never set, and the poller waits
// about: for ever. KEEPS: the poller keeps the mutex in its loop, so no try can succeed
// from: by hand
// run: -DROT=0 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DROT=0 | sc tso pso ra rc11 rc20 --all --equivalence co | verdict=verified
// run: -DROT=1 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DROT=1 | sc tso pso ra rc11 rc20 --all --equivalence co | verdict=verified
// run: -DROT=2 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DROT=3 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DROT=4 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DROT=1 | sc pso rc20 --all --locks ordered | verdict=verified
// run: -DROT=3 | sc pso rc20 --all --locks ordered | verdict=verified
// run: -DROT=0 -DUNSET | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DROT=1 -DUNSET | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DROT=2 -DUNSET | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DROT=3 -DUNSET | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DROT=4 -DUNSET | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DROT=0 -DUNSET | sc pso rc20 --all --locks ordered | verdict=violation violation=liveness executions=0
// run: -DROT=1 -DUNSET | sc pso rc20 --all --equivalence co | verdict=violation violation=liveness executions=0
// run: -DROT=5 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *poller(void *arg) {
#if ROT == 0
  int r;
  do {
    pthread_mutex_lock(&m); //! liveness
    r = x; //! liveness
    pthread_mutex_unlock(&m);
  } while (!r);
#elif ROT == 1
  pthread_mutex_lock(&m); //! liveness
  while (!x) { //! liveness
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //! liveness
  }
  pthread_mutex_unlock(&m);
#elif ROT == 2
  for (;;) {
    pthread_mutex_lock(&m); //! liveness
    if (x) { //! liveness
      pthread_mutex_unlock(&m);
      break;
    }
    pthread_mutex_unlock(&m);
  }
#elif ROT == 3
  while (pthread_mutex_trylock(&m)) //! liveness
    ;
  while (!x) { //! liveness
    pthread_mutex_unlock(&m);
    while (pthread_mutex_trylock(&m)) //! liveness
      ;
  }
  pthread_mutex_unlock(&m);
#elif ROT == 4
  for (int r = 0; !r;) {
    if (pthread_mutex_trylock(&m) == 0) { //! liveness
      r = x; //! liveness
      pthread_mutex_unlock(&m);
    }
  }
#elif ROT == 5
  pthread_mutex_lock(&m); //! liveness
  while (!x) //! liveness
    ;
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

static void *setter(void *arg) {
  while (pthread_mutex_trylock(&m)) //! liveness
    ;
#ifndef UNSET
  x = 1;
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, poller, 0);
  pthread_create(&b, 0, setter, 0);
  pthread_join(a, 0); //! liveness
  pthread_join(b, 0); //! liveness
}
