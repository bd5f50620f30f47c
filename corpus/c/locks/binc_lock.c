// about: N threads increment two counters, each in a lock of its own
// from: brute force; the test suite of GenMC; formula (N!)^2
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=36
// run: -DN=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=36
// run: -DN=4 | sc ra rc11 rc20 --locks aware | verdict=verified executions=576
// run: -DN=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=576
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lx = PTHREAD_MUTEX_INITIALIZER, ly = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *run(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lx);
  x++;
  pthread_mutex_unlock(&lx);
  pthread_mutex_lock(&ly);
  y++;
  pthread_mutex_unlock(&ly);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
