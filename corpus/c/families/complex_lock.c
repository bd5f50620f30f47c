// about: N threads increment twice; in between they take a second lock for nothing
// from: aware: formula (2N)!/2^N; ordered: the lock-aware paper (default), GenMC 0.11 (EMPTY sections in between)
// run: -DN=2 | rc11 rc20 --locks ordered | verdict=verified executions=42
// run: -DN=2 | rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=3 | rc11 --locks ordered | verdict=verified executions=11214
// run: -DN=3 | rc11 rc20 --locks aware | verdict=verified executions=90
// run: -DN=2 -DEMPTY=1 | rc11 rc20 --locks ordered | verdict=verified executions=10
// run: -DN=2 -DEMPTY=1 | rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=2 -DEMPTY=2 | rc11 rc20 --locks ordered | verdict=verified executions=26
// run: -DN=2 -DEMPTY=3 | rc11 rc20 --locks ordered | verdict=verified executions=82
// run: -DN=3 -DEMPTY=1 | rc11 rc20 --locks ordered | verdict=verified executions=342
// run: -DN=3 -DEMPTY=1 | rc11 rc20 --locks aware | verdict=verified executions=90
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static int x;

#ifdef EMPTY
static void *add_twice(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  x++;
  pthread_mutex_unlock(&l);
  for (int i = 0; i < EMPTY; i++) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&l);
  x++;
  pthread_mutex_unlock(&l);
  return NULL;
}
#else
static void *add_twice(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&m);
  return NULL;
}
#endif

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, add_twice, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
