// about: the low halves of many addresses: no two of them are the same, whatever they are of and whichever thread has them
// from: by hand: each pair is compared
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DNODES=300 | sc rc20 | verdict=verified executions=1
// run: -DTHREADS=20 | sc rc20 | verdict=verified executions=1
// run: -DTHREADS=20 -DHEAP | sc rc20 | verdict=verified executions=1
// run: -DTHREADS=5 -DNESTED | sc rc20 | verdict=verified executions=1
// run: -DTHREADS=5 -DNESTED -DHEAP | sc rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef NODES
#define NODES 10
#endif
#ifndef THREADS
#define THREADS 3
#endif

static int a, b, c[5];
static uint32_t seen[NODES + THREADS + 10];
static int n;

static void see(uintptr_t p) {
  uint32_t low = (uint32_t)p;
  assert(low != 0);
  for (int i = 0; i < n; i++)
    assert(seen[i] != low);
  seen[n++] = low;
}

// The thread's result is where its object was.
static void *run(void *arg) {
#ifdef HEAP
  void *p = malloc(24);
  free(p);
  return p;
#else
  int local;
  return &local;
#endif
}

static void *outer(void *arg) {
  pthread_t t;
  void *p;
  pthread_create(&t, NULL, run, arg);
  pthread_join(t, &p);
  return p;
}

int main(void) {
  int local;
  see((uintptr_t)&a);
  see((uintptr_t)&b);
  see((uintptr_t)c);
  see((uintptr_t)&local);
  see((uintptr_t)run);
  void *nodes[NODES];
  for (int i = 0; i < NODES; i++)
    see((uintptr_t)(nodes[i] = malloc(24)));
  for (int i = 0; i < THREADS; i++) {
    pthread_t t;
    void *p;
#ifdef NESTED
    pthread_create(&t, NULL, outer, NULL);
#else
    (void)outer;
    pthread_create(&t, NULL, run, NULL);
#endif
    pthread_join(t, &p);
    see((uintptr_t)p);
  }
  for (int i = 0; i < NODES; i++)
    free(nodes[i]);
}
