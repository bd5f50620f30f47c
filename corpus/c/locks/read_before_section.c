// about: a thread reads before its section what another section writes; a search that loses classes misses an execution
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | ra rc11 rc20 --locks aware | verdict=verified executions=12
// run: | ra rc11 rc20 --locks ordered | verdict=verified executions=12
// run: | sc --locks aware | verdict=verified executions=11
// run: | sc --locks ordered | verdict=verified executions=11
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  int a = GET(&y);
  if (a != 0)
    PUT(&y, 2);
  (void)GET(&x);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 2);
  (void)GET(&y);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  (void)GET(&x);
  pthread_mutex_lock(&l);
  (void)GET(&y);
  PUT(&y, 2);
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
