// about: one thread writes 2, N threads replace 2 by 3, if they find it, inside a lock
// from: brute force; the test suite of GenMC
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=13
// run: -DN=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=24
// run: -DN=4 | sc ra rc11 rc20 --locks aware | verdict=verified executions=33
// run: -DN=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=120
// long: -DN=5 | ra rc11 --locks aware | verdict=verified executions=81
// long: -DN=5 | ra rc11 --locks ordered | verdict=verified executions=720
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *writer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  x = 2;
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *run(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  if (x == 2)
    x = 3;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, writer, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
