// about: each thread replaces 0 by 1, if it finds it, then writes a value of its own, each in a section
// from: brute force; the test suite of GenMC
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: -DN=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=24
// run: -DN=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=90
// long: -DN=4 | ra rc11 --locks aware | verdict=verified executions=200
// long: -DN=4 | ra rc11 --locks ordered | verdict=verified executions=2520
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *run(void *arg) {
  int i = (int)(intptr_t)arg;
  pthread_mutex_lock(&l);
  if (x == 0)
    x = 1;
  pthread_mutex_unlock(&l);
  pthread_mutex_lock(&l);
  x = i + 3;
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
