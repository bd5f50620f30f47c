// about: the order of two sections is forced by accesses outside them: writes before, and reads inside
// from: brute force; all accesses acq/rel, so ra = rc11 = rc20
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=3
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=4
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  PUT(&x, 2);
  pthread_mutex_lock(&l);
  (void)GET(&y);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  PUT(&y, 2);
  pthread_mutex_lock(&l);
  (void)GET(&x);
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
