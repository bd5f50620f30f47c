// about: two threads wait by giving back a mutex and taking it again, each until the other one has gone on; STARTED: somebody
// about: sets one of them going; TOKEN: only if it comes first. CIRCLE: two others wait for each other meanwhile
// from: by hand
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | verdict=violation violation=liveness executions=0
// run: -DSTARTED | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DSTARTED | sc rc20 --all --locks ordered | verdict=verified
// run: -DTOKEN | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DTOKEN | sc rc20 --all --locks ordered | verdict=violation violation=liveness
// run: -DSTARTED -DCIRCLE | sc ra rc11 rc20 --all | verdict=violation violation=deadlock
// run: -DSTARTED -DCIRCLE | sc rc20 --all --locks ordered | verdict=violation violation=deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y, taken;

static void *one(void *arg) {
  pthread_mutex_lock(&m); //! liveness
  while (x == 0) { //! liveness
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //! liveness
  }
  y = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&m); //! liveness
  while (y == 0) { //! liveness
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //! liveness
  }
  x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

#if defined(STARTED) || defined(TOKEN)
static void *starter(void *arg) {
#ifdef CIRCLE
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //! deadlock
#endif
  pthread_mutex_lock(&m);
  if (!taken)
    x = 1;
  pthread_mutex_unlock(&m);
#ifdef CIRCLE
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
#endif
  return arg;
}
#endif

#ifdef TOKEN
static void *taker(void *arg) {
  pthread_mutex_lock(&m);
  taken = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
#endif

#ifdef CIRCLE
static void *crossing(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); //! deadlock
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}
#endif

int main(void) {
  pthread_t t[4];
  int n = 0;
  pthread_create(&t[n++], NULL, one, NULL);
  pthread_create(&t[n++], NULL, other, NULL);
#if defined(STARTED) || defined(TOKEN)
  pthread_create(&t[n++], NULL, starter, NULL);
#endif
#ifdef TOKEN
  pthread_create(&t[n++], NULL, taker, NULL);
#endif
#ifdef CIRCLE
  pthread_create(&t[n++], NULL, crossing, NULL);
#endif
  while (n > 0)
    pthread_join(t[--n], NULL); //! liveness deadlock
}
