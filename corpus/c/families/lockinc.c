// about: N threads increment a counter inside a lock
// from: formula N!, with locks ordered and aware; GenMC 0.11, Nidhugg
// run: -DN=2 | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DN=4 | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=24
// run: -DN=4 | sc tso pso ra rc11 rc20 --locks aware | verdict=verified executions=24
// run: -DN=6 | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=6 | rc11 --locks aware | verdict=verified executions=720
// long: -DN=7 | rc11 rc20 --locks ordered | verdict=verified executions=5040
// long: -DN=7 | rc11 rc20 --locks aware | verdict=verified executions=5040
// long: -DN=8 | rc11 --locks ordered | verdict=verified executions=40320
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int r = x;
  x = r + 1;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, add, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
