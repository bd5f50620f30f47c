// about: a thread that waits for a lock it holds itself never goes on. Where main does not wait for it, the process ends all the
// about: same, also if main waits for a thread that has not seen a flag yet when the other one is stuck.
// from: raveler-judge programs, shrunk
// run: | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks aware --all | verdict=verified
// run: -DMUTEX | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=verified
// run: -DMUTEX | sc tso pso ra rc11 rc20 --locks aware --all | verdict=verified
// run: -DBOUNDED | sc rc20 --locks ordered --all --unroll 3 | verdict=inconclusive
// run: -DJOINED | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=deadlock
// run: -DJOINED | sc tso pso ra rc11 rc20 --locks aware | verdict=violation violation=deadlock
// run: -DJOINED -DMUTEX | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=deadlock
// run: -DJOINED -DMUTEX | sc tso pso ra rc11 rc20 --locks aware | verdict=violation violation=deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, count;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *stuck(void *unused) {
  (void)unused;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#ifdef MUTEX
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
#else
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_wrlock(&shared);
#endif
  return NULL;
}

static void *waits(void *unused) {
  (void)unused;
  while (atomic_load_explicit(&flag, memory_order_relaxed) == 0)
    ;
  return NULL;
}

#ifdef BOUNDED
static void *counts(void *unused) {
  (void)unused;
  for (int i = 0; i < 5; i++)
    atomic_store_explicit(&count, i, memory_order_relaxed);
  return NULL;
}
#endif

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, stuck, NULL);
  pthread_create(&two, NULL, waits, NULL);
#ifdef BOUNDED
  pthread_t three;
  pthread_create(&three, NULL, counts, NULL);
#endif
  pthread_join(two, NULL);
#ifdef JOINED
  pthread_join(one, NULL);
#endif
  return 0;
}
