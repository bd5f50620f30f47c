// about: two threads wait for each other's lock, whatever a third one assumes
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=deadlock
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int never;

static void *assumes(void *arg) {
  __VERIFIER_assume(never == 1);
  return arg;
}

static void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //! deadlock
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); //! deadlock
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, assumes, NULL);
  pthread_create(&t[1], NULL, one, NULL);
  pthread_create(&t[2], NULL, other, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
