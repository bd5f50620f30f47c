// about: opposite_order.c with both uses of one lock as read locks: no deadlock
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=1
// run: | tso pso | verdict=verified
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, m = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&m);
  pthread_rwlock_unlock(&m);
  pthread_rwlock_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_rwlock_wrlock(&m);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
