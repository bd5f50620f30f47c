// about: a lock or condition variable is destroyed by one thread; another one may still use it, has joined, or comes too late
// from: by hand: POSIX: destroying a mutex that is locked or referenced, or a condition variable on which threads are blocked, is
// from: undefined, and so is every later use until it is initialised again. A thread that gets the mutex after the last unlock
// from: may destroy it
// run: -DJOINED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DJOINED | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DHANDED_OVER | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DHANDED_OVER | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DINITIALISED_AGAIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DINITIALISED_AGAIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DRENEWED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DRENEWED | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_TOO_EARLY | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_TOO_EARLY | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DBUG_TOO_EARLY -DREADER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_TOO_EARLY -DREADER | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DBUG_USED_AFTER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_USED_AFTER | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DBUG_SIGNALLED | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_SIGNALLED | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
#include <pthread.h>
#include <stddef.h>

#ifdef READER
static pthread_rwlock_t l;
#define INIT() pthread_rwlock_init(&l, NULL)
#define LOCK() pthread_rwlock_rdlock(&l)
#define UNLOCK() pthread_rwlock_unlock(&l)
#define DESTROY() pthread_rwlock_destroy(&l)
#else
static pthread_mutex_t l;
#define INIT() pthread_mutex_init(&l, NULL)
#define LOCK() pthread_mutex_lock(&l)
#define UNLOCK() pthread_mutex_unlock(&l)
#define DESTROY() pthread_mutex_destroy(&l)
#endif
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *user(void *arg) {
  (void)arg;
#ifdef RENEWED
  pthread_mutex_lock(&guard);
  DESTROY();
  INIT();
  pthread_mutex_unlock(&guard);
#else
  LOCK();
  done = 1;
  UNLOCK();
#endif
  return NULL;
}

static void *destroyer(void *arg) {
  (void)arg;
#ifdef BUG_SIGNALLED
  pthread_cond_destroy(&c);
#else
  DESTROY();
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  INIT();
#if defined(BUG_USED_AFTER) || defined(BUG_SIGNALLED) || defined(INITIALISED_AGAIN)
  pthread_create(&t, NULL, destroyer, NULL);
  pthread_join(t, NULL);
#ifdef INITIALISED_AGAIN
  INIT();
#endif
#ifdef BUG_SIGNALLED
  pthread_cond_signal(&c);
#else
  LOCK();
  UNLOCK();
#endif
#else
  pthread_create(&t, NULL, user, NULL);
#ifdef JOINED
  pthread_join(t, NULL);
  DESTROY();
#elif defined(RENEWED)
  pthread_mutex_lock(&guard);
  LOCK();
  UNLOCK();
  pthread_mutex_unlock(&guard);
  pthread_join(t, NULL);
#elif defined(HANDED_OVER)
  LOCK();
  int seen = done;
  UNLOCK();
  if (seen)
    DESTROY();
  pthread_join(t, NULL);
#else
  DESTROY();
  pthread_join(t, NULL);
#endif
#endif
  return 0;
}
