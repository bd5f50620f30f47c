// about: the first thread locks two locks alone, starts another thread, and then locks them the other way round
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=deadlock executions=1
// run: -DBEFORE | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg) {
  (void)arg;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void both(void) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}

int main(void) {
  pthread_t t;
  both();
  pthread_create(&t, NULL, other, NULL);
#ifndef BEFORE
  both();
#endif
  pthread_join(t, NULL);
}
