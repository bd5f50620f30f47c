// about: main joins a thread while it holds the lock the thread wants
// from: brute force
// run: | sc ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=1
// run: | sc ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=1
// run: | tso pso | verdict=violation violation=deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l); //! deadlock
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, first, NULL);
  pthread_mutex_lock(&l);
  pthread_join(t, NULL); //! deadlock
  pthread_mutex_unlock(&l);
}
