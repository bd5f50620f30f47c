// about: a deadlock that is not the beginning of any complete execution: two locks are taken in opposite order only if
// about: both threads see the other's write
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=3
// run: | ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=3
// run: | sc --locks aware --all | verdict=violation violation=deadlock executions=2
// run: | sc --locks ordered --all | verdict=violation violation=deadlock executions=2
// run: | tso pso | verdict=violation violation=deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, z;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 1);
  int a = GET(&z);
  if (a == 1) {
    pthread_mutex_lock(&m); //! deadlock
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  PUT(&z, 1);
  int b = GET(&x);
  if (b == 1) {
    pthread_mutex_lock(&l); //! deadlock
    pthread_mutex_unlock(&l);
  }
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
