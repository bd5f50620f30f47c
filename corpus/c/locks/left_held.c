// about: a thread that ends and keeps a lock: a warning if nobody wants it, a deadlock for whoever does
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1 held=1
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | verdict=verified executions=1 held=1
// run: -DWANTED | sc tso pso ra rc11 rc20 --all | verdict=violation violation=deadlock executions=1
// run: -DRELEASED | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1 held=0
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *keeps(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  x = 1;
#ifdef RELEASED
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}

static void *wants(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, keeps, NULL);
#ifdef WANTED
  pthread_create(&b, NULL, wants, NULL);
  pthread_join(b, NULL);
#else
  (void)b;
  (void)wants;
#endif
  pthread_join(a, NULL);
  return 0;
}
