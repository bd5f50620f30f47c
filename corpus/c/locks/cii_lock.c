// about: one thread replaces 1 by 2, if it finds it, two threads increment, inside a lock
// from: brute force; the test suite of GenMC
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *replacer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  if (x == 1)
    x = 2;
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *run(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  x++;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, replacer, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
