// about: readers and writers that do not wait: a failed try has seen a holder that excludes it, and synchronises with nobody
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=11
// run: -DREADER_FAILS | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion executions=6
// run: -DREADERS_EXCLUDE | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DRACE | rc11 rc20 --all | verdict=violation violation=race
// run: -DFREE | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *writer(void *arg) {
  (void)arg;
  int taken = pthread_rwlock_trywrlock(&lock);
  assert(taken == 0 || taken == EBUSY);
  if (taken == 0) {
    data++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  int taken = pthread_rwlock_tryrdlock(&lock);
#ifdef READER_FAILS
  assert(taken == 0); // not if the writer is there
#endif
#ifdef READERS_EXCLUDE
  assert(taken == 0); // nobody writes
#endif
  if (taken == 0) {
#ifdef RACE
    data = 1; // readers do not exclude each other
#else
    assert(data == 0 || data == 1);
#endif
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t w, r, s;
#ifdef FREE
  // Nobody else is there.
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) != 0);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  return 0;
#endif
#ifdef READERS_EXCLUDE
  pthread_create(&w, NULL, reader, NULL);
#else
  pthread_create(&w, NULL, writer, NULL);
#endif
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&s, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  pthread_join(s, NULL);
  return 0;
}
