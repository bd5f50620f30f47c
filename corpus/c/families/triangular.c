// about: two threads take turns to be one ahead of the other inside a lock; main reads both variables
// from: the lock-aware paper (5), GenMC 0.11; brute force for 1..5
// run: -DNUM=1 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=12
// run: -DNUM=1 | sc ra rc11 rc20 --locks aware | verdict=verified executions=7
// run: -DNUM=2 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=90
// run: -DNUM=2 | sc ra rc11 rc20 --locks aware | verdict=verified executions=42
// run: -DNUM=3 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=560
// run: -DNUM=3 | sc ra rc11 rc20 --locks aware | verdict=verified executions=230
// run: -DNUM=4 | rc11 --locks aware | verdict=verified executions=1190
// run: -DNUM=5 | rc11 --locks ordered | verdict=verified executions=16632
// run: -DNUM=5 | rc11 --locks aware | verdict=verified executions=5922
// long: -DNUM=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=3150
// long: -DNUM=5 | sc ra rc20 --locks ordered | verdict=verified executions=16632
// long: -DNUM=5 | sc ra rc20 --locks aware | verdict=verified executions=5922
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef NUM
#define NUM 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int i = 3, j = 6;

static void *grow_i(void *arg) {
  (void)arg;
  for (int k = 0; k < NUM; k++) {
    pthread_mutex_lock(&l);
    i = j + 1;
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

static void *grow_j(void *arg) {
  (void)arg;
  for (int k = 0; k < NUM; k++) {
    pthread_mutex_lock(&l);
    j = i + 1;
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, grow_i, NULL);
  pthread_create(&b, NULL, grow_j, NULL);
  pthread_mutex_lock(&l);
  int p = i;
  pthread_mutex_unlock(&l);
  pthread_mutex_lock(&l);
  int q = j;
  pthread_mutex_unlock(&l);
  (void)p;
  (void)q;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
