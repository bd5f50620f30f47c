// about: waiting until a pointer is set: what the compiler keeps of one round for the next is nothing that is read again
// from: by hand: a round that reads NULL changes nothing and waits; a round that reads the pointer ends the loop: one execution
// from: for any number of waiting threads
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=1
// run: -DWAITERS=8 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef WAITERS
#define WAITERS 3
#endif

static int value;
static int *_Atomic pointer;

static void *waiter(void *arg) {
  while (atomic_load(&pointer) == NULL)
    ;
  assert(*atomic_load(&pointer) == 5);
  return arg;
}

int main(void) {
  pthread_t t[WAITERS];
  for (int i = 0; i < WAITERS; i++) pthread_create(&t[i], 0, waiter, 0);
  value = 5;
  atomic_store(&pointer, &value);
  for (int i = 0; i < WAITERS; i++) pthread_join(t[i], 0);
  return 0;
}
