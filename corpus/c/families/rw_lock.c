// about: N threads read, then write, inside a lock
// from: formula N!, with locks ordered and aware; the lock-aware paper, GenMC 0.11
// run: -DN=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=24
// run: -DN=4 | sc ra rc11 rc20 --locks aware | verdict=verified executions=24
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=120
// run: -DN=6 | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=6 | rc11 --locks aware | verdict=verified executions=720
// long: -DN=8 | rc11 --locks ordered | verdict=verified executions=40320
// long: -DN=8 | rc11 --locks aware | verdict=verified executions=40320
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *read_write(void *arg) {
  int i = (int)(intptr_t)arg;
  pthread_mutex_lock(&l);
  int r = x;
  (void)r;
  x = i + 1;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, read_write, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
