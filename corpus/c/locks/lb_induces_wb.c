// about: four sections whose order follows from what is read outside them
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | ra rc11 rc20 --locks aware | verdict=verified executions=24
// run: | ra rc11 rc20 --locks ordered | verdict=verified executions=100
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
  PUT(&y, 1);
  pthread_mutex_unlock(&l);
  (void)GET(&x);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 1);
  (void)GET(&y);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 2);
  (void)GET(&z);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *fourth(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&z, 1);
  pthread_mutex_unlock(&l);
  (void)GET(&x);
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
