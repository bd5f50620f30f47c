// about: two threads change two variables, each change in a section of its own of one lock
// from: the lock-aware paper, GenMC 0.11
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int d1 = 10, d2 = 10;

static void add(int *d, int amount) {
  pthread_mutex_lock(&l);
  *d += amount;
  pthread_mutex_unlock(&l);
}

static void *first(void *arg) {
  (void)arg;
  add(&d1, 1);
  add(&d2, 1);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  add(&d1, 5);
  add(&d2, -6);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(d1 == 16 && d2 == 5);
}
