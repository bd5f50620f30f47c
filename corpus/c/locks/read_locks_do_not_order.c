// about: forced_by_reads_after.c with read locks: they do not synchronise
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: | sc --locks aware | verdict=verified executions=3
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  PUT(&y, 1);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  (void)GET(&x);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  PUT(&x, 1);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  (void)GET(&y);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
