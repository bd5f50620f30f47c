// about: thread i replaces i-1 by i, if it finds it, inside a lock
// from: brute force; the test suite of GenMC
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=2
// run: -DN=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DN=4 | sc ra rc11 rc20 --locks aware | verdict=verified executions=14
// run: -DN=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=24
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=43
// run: -DN=5 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=120
// long: -DN=6 | ra rc11 --locks aware | verdict=verified executions=144
// long: -DN=6 | ra rc11 --locks ordered | verdict=verified executions=720
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *arg) {
  int i = (int)(intptr_t)arg + 1;
  pthread_mutex_lock(&l);
  if (x == i - 1)
    x = i;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
