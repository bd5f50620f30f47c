// about: two threads poll under one mutex, and one of them holds another lock meanwhile that it gives back, too: then who sets
// about: both going gets it. KEPT: each keeps a lock that somebody else needs to set the other one going
// from: by hand
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | verdict=verified
// run: -DKEPT | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DKEPT | sc rc20 --all --locks ordered | verdict=violation violation=liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *one(void *arg) {
#ifdef KEPT
  pthread_mutex_lock(&b); //! liveness
#endif
  pthread_mutex_lock(&m); //! liveness
  while (y == 0) { //! liveness
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //! liveness
  }
  pthread_mutex_unlock(&m);
#ifdef KEPT
  pthread_mutex_unlock(&b);
#endif
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&a); //! liveness
  pthread_mutex_lock(&m); //! liveness
  while (x == 0) { //! liveness
    pthread_mutex_unlock(&m);
#ifndef KEPT
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&a);
#endif
    pthread_mutex_lock(&m); //! liveness
  }
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *starter(void *arg) {
  pthread_mutex_lock(&a); //! liveness
#ifndef KEPT
  x = 1;
#endif
  y = 1;
  pthread_mutex_unlock(&a);
  return arg;
}

#ifdef KEPT
static void *second(void *arg) {
  pthread_mutex_lock(&b); //! liveness
  x = 1;
  pthread_mutex_unlock(&b);
  return arg;
}
#endif

int main(void) {
  pthread_t t[4];
  int n = 0;
  pthread_create(&t[n++], NULL, one, NULL);
  pthread_create(&t[n++], NULL, other, NULL);
  pthread_create(&t[n++], NULL, starter, NULL);
#ifdef KEPT
  pthread_create(&t[n++], NULL, second, NULL);
#endif
  while (n > 0)
    pthread_join(t[--n], NULL); //! liveness
}
