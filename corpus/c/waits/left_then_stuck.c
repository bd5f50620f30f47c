// about: a thread tries a lock until it gets it. The other thread gives the lock back, so every state has a continuation in
// about: which the first one leaves its loop, and the loop is no endless wait, although the thread gets stuck behind it: at a
// about: lock that the other one keeps, also in a circle (deadlock), or in a second loop (LOOP: an endless wait there, not
// about: in the first one). With BOTH a third thread polls a flag that nobody sets, which is an endless wait besides
// from: a random program against the machine of states, shrunk
// run: | sc tso pso sra ra rc11 rc20 --all | verdict=violation kinds=deadlock executions=0
// run: | sc sra rc20 --all --equivalence co --locks ordered | verdict=violation kinds=deadlock executions=0
// run: -DREADERS | sc tso pso sra ra rc11 rc20 --all | verdict=violation kinds=deadlock executions=0
// run: -DREADERS | sc sra rc20 --all --equivalence co --locks ordered | verdict=violation kinds=deadlock executions=0
// run: -DLOOP | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=liveness kinds=liveness executions=0
// run: -DLOOP | sc sra rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness kinds=liveness executions=0
// run: -DBOTH | sc tso pso sra ra rc11 rc20 --all | verdict=violation kinds=deadlock,liveness executions=0
// run: -DBOTH | sc sra rc20 --all --equivalence co --locks ordered | verdict=violation kinds=deadlock,liveness executions=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static atomic_int never;

#ifdef READERS
static pthread_rwlock_t tried = PTHREAD_RWLOCK_INITIALIZER;
#define TRY pthread_rwlock_trywrlock(&tried)
#define LOCK pthread_rwlock_rdlock(&tried)
#define UNLOCK pthread_rwlock_unlock(&tried)
#else
static pthread_mutex_t tried = PTHREAD_MUTEX_INITIALIZER;
#define TRY pthread_mutex_trylock(&tried)
#define LOCK pthread_mutex_lock(&tried)
#define UNLOCK pthread_mutex_unlock(&tried)
#endif

static void *tries(void *unused) {
  (void)unused;
  while (TRY)
    ;
#ifdef LOOP
  while (!atomic_load_explicit(&never, memory_order_relaxed)) //! liveness
    ;
#else
  pthread_mutex_lock(&kept);
#endif
  return NULL;
}

static void *gives_back(void *unused) {
  (void)unused;
  pthread_mutex_lock(&kept);
  LOCK;
  UNLOCK;
  return NULL;
}

#ifdef BOTH
static void *polls(void *unused) {
  (void)unused;
  while (!atomic_load_explicit(&never, memory_order_relaxed))
    ;
  return NULL;
}
#endif

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, tries, NULL);
  pthread_create(&threads[1], NULL, gives_back, NULL);
#ifdef BOTH
  pthread_create(&threads[2], NULL, polls, NULL);
  pthread_join(threads[2], NULL);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
