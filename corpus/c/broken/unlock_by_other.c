// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=unlock-not-held
// about: a mutex is unlocked by a thread that did not lock it
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
  (void)arg;
  pthread_mutex_unlock(&l); //! unlock-not-held
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&l);
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
}
