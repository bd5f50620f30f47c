// about: a loop that takes a lock, looks, and releases it again waits like one that only looks
// from: by hand: the poller's last section comes after the setter's; with two pollers in either order (2)
// run: | sc tso pso ra rc11 rc20 | executions=1 verdict=verified
// run: -DTWO | sc tso pso ra rc11 rc20 --locks ordered | executions=2 verdict=verified
// run: -DTRY | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_NEVER | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBUG_NEVER -DTWO | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBUG_HELD | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_LOCK | rc11 rc20 | verdict=violation violation=race
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *poll(void *arg) {
  int seen;
  do {
#ifdef TRY
    while (pthread_mutex_trylock(&l) != 0)
      ;
#else
    pthread_mutex_lock(&l); //! deadlock
#endif
    seen = ready; //! liveness, race
    pthread_mutex_unlock(&l); //! liveness
  } while (!seen);
  return arg;
}

static void *set(void *arg) {
#ifdef BUG_NO_LOCK
  ready = 1; //! race
#else
  pthread_mutex_lock(&l);
#ifndef BUG_NEVER
  ready = 1;
#endif
#ifndef BUG_HELD
  pthread_mutex_unlock(&l);
#endif
#endif
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, poll, NULL);
  pthread_create(&b, NULL, set, NULL);
#ifdef TWO
  pthread_create(&c, NULL, poll, NULL);
  pthread_join(c, NULL);
#endif
  (void)c;
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL);
}
