// about: two threads, LB times each a locked increment
// from: formula C(2LB,LB); the release-acquire paper, GenMC 0.11; ordered = aware
// run: -DLB=2 | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DLB=3 | sc tso pso ra rc11 rc20 --locks aware | verdict=verified executions=20
// run: -DLB=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=70
// run: -DLB=5 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=252
// run: -DLB=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=252
// long: -DLB=10 | sc ra rc11 --locks ordered | verdict=verified executions=184756
// long: -DLB=10 | sc ra rc11 --locks aware | verdict=verified executions=184756
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef LB
#define LB 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *add(void *arg) {
  (void)arg;
  for (int i = 0; i < LB; i++) {
    pthread_mutex_lock(&l);
    g = g + 1;
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, add, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
