// about: a thread that tries a reader-writer lock until it is free waits for it
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=2
// run: -DTIMED | sc tso pso ra rc11 rc20 --all | verdict=verified executions=3
// run: -DKEPT | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *writer(void *arg) {
  (void)arg;
#ifdef TIMED
  struct timespec until = {1, 0};
  if (pthread_rwlock_timedwrlock(&lock, &until) != 0)
    return NULL;
#else
  while (pthread_rwlock_trywrlock(&lock) != 0)
    ;
#endif
  data = 1;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&lock);
  int seen = data;
  assert(seen == 0 || seen == 1);
#ifndef KEPT
  pthread_rwlock_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
