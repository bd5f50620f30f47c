// about: a thread that stops inside its section keeps the lock; what it did is seen all the same
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

void __VERIFIER_assume(int);

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  PUT(&x, 1);
  int a = GET(&y);
  __VERIFIER_assume(a == 1);
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  int b = GET(&x);
  assert(b == 0); //! assertion
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
