// about: a thread polls under a lock; another one tries the lock, which fails because of a round of the polling loop that
// about: changes nothing, and then ends the wait. Without the round the try would succeed: it must not be left out.
// about: ROTATED: the loop gives back a lock that is held; READERS: a reader polls, a writer tries; TWICE: two tries fail,
// about: with a section of a third thread between; IN_LOOP: the try is repeated until it succeeds, so that nothing is seen
// from: by hand: the try fails during the first round, then the lock is free, d is set, and the second round sees it
// run: | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=assertion executions=1
// run: | sc rc20 --all --locks ordered | verdict=violation violation=assertion executions=1
// run: -DROTATED | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=assertion
// run: -DROTATED | sc rc20 --all --locks ordered | verdict=violation violation=assertion
// run: -DREADERS | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=assertion executions=1
// run: -DTWICE | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=assertion executions=4
// run: -DTWICE -DROTATED | sc rc20 --all | verdict=violation violation=assertion
// run: -DIN_LOOP | sc tso pso sra ra rc11 rc20 --all | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <raveler.h>

#ifdef READERS
static pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_rdlock(&m)
#define WRITE_LOCK() pthread_rwlock_wrlock(&m)
#define TRY() pthread_rwlock_trywrlock(&m)
#define UNLOCK() pthread_rwlock_unlock(&m)
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&m)
#define WRITE_LOCK() pthread_mutex_lock(&m)
#define TRY() pthread_mutex_trylock(&m)
#define UNLOCK() pthread_mutex_unlock(&m)
#endif

static int d, failed;
static atomic_int asked, answered;

static void *sets(void *arg) {
#ifdef IN_LOOP
  while (TRY() != 0) {
  }
#else
  int first = TRY() != 0;
#ifdef TWICE
  if (!first) UNLOCK();
  atomic_store(&asked, 1);
  rv_assume(atomic_load(&answered));
  int second = TRY() != 0;
  if (!second) UNLOCK();
  WRITE_LOCK();
  failed = first && second;
#else
  if (first) WRITE_LOCK();
  failed = first;
#endif
#endif
  d = 1;
  UNLOCK();
  return arg;
}

static void *polls(void *arg) {
#ifdef ROTATED
  LOCK();
  while (!d) {
    UNLOCK();
    LOCK();
  }
  assert(!failed); //! assertion
  UNLOCK();
#else
  int done;
  do {
    LOCK();
    done = d;
    UNLOCK();
  } while (!done);
  assert(!failed); //! assertion
#endif
  return arg;
}

#ifdef TWICE
static void *between(void *arg) {
  rv_assume(atomic_load(&asked));
  LOCK();
  atomic_store(&answered, 1);
  UNLOCK();
  return arg;
}
#endif

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, sets, NULL);
  pthread_create(&t[1], NULL, polls, NULL);
#ifdef TWICE
  pthread_create(&t[2], NULL, between, NULL);
  pthread_join(t[2], NULL);
#endif
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
