// about: a loop that gives back a lock in each round and takes it again. What comes before the loop is a section of its own:
// about: others see it before the loop ends, so the first round is more than waiting. Nobody waits for ever: the lock is
// about: free once in each round.
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=6
// run: -DTOGETHER | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion executions=5
// run: -DTOGETHER | sc rc20 --all --locks ordered | verdict=violation violation=assertion
// run: -DINSIDE | sc tso pso ra rc11 rc20 --all | verdict=verified executions=2
// run: -DINSIDE | sc tso pso ra rc11 rc20 --all --locks ordered | verdict=verified executions=2
// run: -DNEVER | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int p;
static int q, x, y;

static void *waits(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  q = 1;
  while (!p) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *looks(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  x = q;
  y = p;
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *sets(void *arg) {
  (void)arg;
#ifdef INSIDE
  pthread_mutex_lock(&m);
#endif
#ifndef NEVER
  p = 1;
#endif
#ifdef INSIDE
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}

int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, NULL, waits, NULL);
#if !defined(INSIDE) && !defined(NEVER)
  pthread_create(&u, NULL, looks, NULL);
#else
  (void)u;
  (void)looks;
#endif
  pthread_create(&v, NULL, sets, NULL);
  pthread_join(t, NULL);
#if !defined(INSIDE) && !defined(NEVER)
  pthread_join(u, NULL);
#endif
  pthread_join(v, NULL);
#ifdef TOGETHER
  assert(!(x == 1 && y == 0));
#endif
  return 0;
}
