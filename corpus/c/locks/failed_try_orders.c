// about: what a failed try orders. A thread writes x and then takes the lock; the other one finds the lock taken and reads x.
// about: Under SC, TSO and PSO the write has arrived when the lock is taken. Under RA and SRA every read synchronises with the
// about: write it sees, so does the one that finds the lock taken, and x is 1. Under RC11 and RC20 a failed try
// about: synchronises with no thread, and x may be 0
// from: by hand, after random programs against the machine of states
// run: | sc tso pso sra ra --all | verdict=verified
// run: | sc tso pso sra ra --all --equivalence co --locks ordered | verdict=verified
// run: | rc11 rc20 --all | verdict=violation violation=assertion kinds=assertion
// run: | rc11 rc20 --all --equivalence co --locks ordered | verdict=violation violation=assertion kinds=assertion
// run: -DREADERS | sc tso pso sra ra --all | verdict=verified
// run: -DREADERS | sc tso pso sra ra --all --equivalence co --locks ordered | verdict=verified
// run: -DREADERS | rc11 rc20 --all | verdict=violation violation=assertion kinds=assertion
// run: -DREADERS | rc11 rc20 --all --equivalence co --locks ordered | verdict=violation violation=assertion kinds=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

#ifdef READERS
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#define TRY pthread_rwlock_tryrdlock(&l)
#define LOCK pthread_rwlock_wrlock(&l)
#define UNLOCK pthread_rwlock_unlock(&l)
#else
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
#define TRY pthread_mutex_trylock(&l)
#define LOCK pthread_mutex_lock(&l)
#define UNLOCK pthread_mutex_unlock(&l)
#endif

static void *writes(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  LOCK;
  UNLOCK;
  return NULL;
}

static void *tries(void *unused) {
  (void)unused;
  if (TRY)
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 1); //! assertion
  else
    UNLOCK;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, tries, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
