// about: two locks taken in opposite order inside a third one
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=1
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&l);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&n);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
