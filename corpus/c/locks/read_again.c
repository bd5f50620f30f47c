// about: a reader may read again; a writer that wants to read, and a reader that wants to write, wait for themselves
// from: by hand
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_WRITER | sc rc20 --locks ordered | verdict=violation violation=deadlock
// run: -DBUG_READER | sc rc20 --locks ordered | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int d;

static void *run(void *arg) {
  pthread_rwlock_wrlock(&l);
  d++;
#ifdef BUG_WRITER
  pthread_rwlock_rdlock(&l); //! deadlock
#endif
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_rwlock_rdlock(&l);
  int seen = d;
  pthread_rwlock_rdlock(&l);
  assert(d == seen);
#ifdef BUG_READER
  pthread_rwlock_wrlock(&l); //! deadlock
#endif
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(t, NULL);
  pthread_rwlock_destroy(&l);
}
