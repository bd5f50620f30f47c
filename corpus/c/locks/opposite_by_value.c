// about: whether two locks are taken in opposite order depends on x
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=2
// run: | sc ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=4
// run: | tso pso | verdict=violation violation=deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int a = GET(&x);
  if (a == 0) {
    pthread_mutex_lock(&m); //! deadlock
    pthread_mutex_unlock(&m);
  }
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

static void *third(void *arg) {
  (void)arg;
  PUT(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL); //! deadlock
}
