// about: a reader-writer lock made of a mutex and two counters; two writers, two readers
// from: the lock-aware paper, GenMC 0.11; co: GenMC 0.11, its test suite
// run: | rc11 rc20 --locks ordered | verdict=verified executions=96
// run: | rc11 rc20 --locks aware | verdict=verified executions=96
// run: | rc11 rc20 --locks ordered --equivalence co | verdict=verified executions=120
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int w, r;
static atomic_int x, y;

static void *writer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&a);
  __VERIFIER_assume(w == 0 && r == 0);
  w = 1;
  pthread_mutex_unlock(&a);
  atomic_store(&x, 3);
  pthread_mutex_lock(&a);
  w = 0;
  pthread_mutex_unlock(&a);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  pthread_mutex_lock(&a);
  __VERIFIER_assume(w == 0);
  r = r + 1;
  pthread_mutex_unlock(&a);
  int l = atomic_load(&x);
  atomic_store(&y, l);
  (void)atomic_load(&y);
  (void)atomic_load(&x);
  pthread_mutex_lock(&a);
  r = r - 1;
  pthread_mutex_unlock(&a);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, writer, (void *)(intptr_t)0);
  pthread_create(&t[1], NULL, writer, (void *)(intptr_t)1);
  pthread_create(&t[2], NULL, reader, (void *)(intptr_t)2);
  pthread_create(&t[3], NULL, reader, (void *)(intptr_t)3);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
}
