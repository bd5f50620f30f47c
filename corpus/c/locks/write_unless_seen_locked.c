// about: a section writes unless it sees the write of a third section; a search that loses classes misses an execution
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y, z;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  (void)GET(&z);
  PUT(&x, 1);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  (void)GET(&x);
  int b = GET(&y);
  if (b == 0)
    PUT(&z, 1);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&y, 1);
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
