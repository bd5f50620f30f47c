// about: a partial execution with d=e=1 has no order of the sections; the assertion never fails
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=8
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int p, q, x, y, z;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int c = GET(&z);
  PUT(&x, 1);
  pthread_mutex_unlock(&l);
  if (c == 0)
    PUT(&q, 1);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int a = GET(&x);
  if (a == 0)
    PUT(&p, 1);
  (void)GET(&y);
  PUT(&z, 1);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  int d = GET(&p);
  int e = GET(&q);
  assert(!(d == 1 && e == 1));
  return NULL;
}

static void *fourth(void *arg) {
  (void)arg;
  PUT(&y, 1);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  pthread_create(&t[3], NULL, fourth, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
}
