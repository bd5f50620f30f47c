// about: two locks taken in opposite order
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=1
// run: | sc ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=2
// run: | tso pso | verdict=violation violation=deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  pthread_mutex_lock(&m); //! deadlock
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&l); //! deadlock
  pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL); //! deadlock
}
