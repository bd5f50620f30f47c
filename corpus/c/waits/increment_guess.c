// about: an increment that guesses 0 first: its first failure counts, a second one in a row is a short cut
// from: brute force; rules 1 and 2 of the notes on waiting
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
// run: -DN=3 | sc ra rc20 | verdict=verified executions=6
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *run(void *arg) {
  (void)arg;
  int e = 0;
  while (!atomic_compare_exchange_strong_explicit(&x, &e, e + 1, memory_order_relaxed, memory_order_relaxed))
    ;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == N);
}
