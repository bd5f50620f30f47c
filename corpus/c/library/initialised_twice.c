// about: a synchronisation object is initialised again: after being destroyed, with an initial value of its own, or without
// from: by hand: POSIX: initialising an object that is already initialised is undefined, for all of these; after a destruction it
// from: is the way to use it again. A decision: one with a static initialiser may be initialised before its first use, as many
// from: programs do (docs/libraries.md)
// run: -DMUTEX | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DRWLOCK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSPIN | sc rc20 | verdict=verified
// run: -DCOND | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSEM | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBARRIER | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMUTEX -DSTATIC | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMUTEX -DSTATIC | sc rc20 --locks ordered | verdict=verified
// run: -DMUTEX -DBUG_TWICE | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DRWLOCK -DBUG_TWICE | sc rc20 | verdict=violation violation=lock-misuse
// run: -DSPIN -DBUG_TWICE | sc rc20 | verdict=violation violation=lock-misuse
// run: -DCOND -DBUG_TWICE | sc rc20 | verdict=violation violation=lock-misuse
// run: -DSEM -DBUG_TWICE | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBARRIER -DBUG_TWICE | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DMUTEX -DBUG_OTHER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DMUTEX -DBUG_OTHER | sc rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DSEM -DBUG_OTHER | sc rc20 | verdict=violation violation=lock-misuse
// run: -DBARRIER -DBUG_OTHER | sc rc20 | verdict=violation violation=lock-misuse
// run: -DMUTEX -DBUG_IN_USE | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DMUTEX -DBUG_IN_USE | sc rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DRWLOCK -DBUG_IN_USE | sc rc20 | verdict=violation violation=lock-misuse
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#if defined MUTEX
static pthread_mutex_t o
#ifdef STATIC
    = PTHREAD_MUTEX_INITIALIZER
#endif
    ;
#define INIT() pthread_mutex_init(&o, NULL)
#define USE() (pthread_mutex_lock(&o), pthread_mutex_unlock(&o))
#define DESTROY() pthread_mutex_destroy(&o)
#elif defined RWLOCK
static pthread_rwlock_t o;
#define INIT() pthread_rwlock_init(&o, NULL)
#define USE() (pthread_rwlock_rdlock(&o), pthread_rwlock_unlock(&o))
#define DESTROY() pthread_rwlock_destroy(&o)
#elif defined SPIN
static pthread_spinlock_t o;
#define INIT() pthread_spin_init(&o, 0)
#define USE() (pthread_spin_lock(&o), pthread_spin_unlock(&o))
#define DESTROY() pthread_spin_destroy(&o)
#elif defined COND
static pthread_cond_t o;
#define INIT() pthread_cond_init(&o, NULL)
#define USE() pthread_cond_signal(&o)
#define DESTROY() pthread_cond_destroy(&o)
#elif defined SEM
static sem_t o;
#define INIT() sem_init(&o, 0, 1)
#define USE() sem_post(&o)
#define DESTROY() sem_destroy(&o)
#else
static pthread_barrier_t o;
#define INIT() pthread_barrier_init(&o, NULL, 1)
#define USE() pthread_barrier_wait(&o)
#define DESTROY() pthread_barrier_destroy(&o)
#endif

static void *other(void *arg) {
  (void)arg;
#ifdef BUG_OTHER
  INIT();
#else
  USE();
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
#ifndef BUG_IN_USE
  INIT();
#endif
#ifdef BUG_TWICE
  INIT();
#endif
  pthread_create(&t, NULL, other, NULL);
#ifdef BUG_IN_USE
  INIT();
#endif
  pthread_join(t, NULL);
  DESTROY();
#if !defined BUG_TWICE && !defined BUG_OTHER && !defined BUG_IN_USE
  INIT();
  USE();
  DESTROY();
#endif
  return 0;
}
