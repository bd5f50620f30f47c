// about: N threads read under a read lock, one writes under the write lock
// from: brute force (N=3); formula 2^N
// run: -DN=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: -DN=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=8
// run: -DN=3 | tso pso | verdict=verified
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&l);
  int r = x;
  (void)r;
  pthread_rwlock_unlock(&l);
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  pthread_rwlock_wrlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, reader, (void *)(intptr_t)i);
  pthread_create(&t[N], NULL, writer, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
