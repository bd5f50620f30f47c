// about: one thread reads, N threads write, inside a lock
// from: brute force; formula N+1 aware, (N+1)! ordered; the lock-aware paper
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=3
// run: -DN=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: -DN=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=24
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=5 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=720
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *reader(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int r = x;
  (void)r;
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *run(void *arg) {
  int i = (int)(intptr_t)arg;
  pthread_mutex_lock(&l);
  x = i;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, reader, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
