// about: what a section wrote is seen before it ended, by a thread with a section of its own; a search that loses
// about: classes misses an execution
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=10
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=12
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int v, x, y, z;

static void *first(void *arg) {
  (void)arg;
  (void)GET(&v);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 2);
  int c = GET(&y);
  if (c == 0)
    PUT(&z, 1);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  (void)GET(&x);
  pthread_mutex_lock(&l);
  (void)GET(&z);
  PUT(&v, 1);
  pthread_mutex_unlock(&l);
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
