// about: loops that copy a structure in every round, into a variable or into memory of the compiler's: what the last round copied
// about: is set again before it is read, so a round that reads the same again changes nothing
// from: by hand: WAIT: a round that reads a = 0 waits, whatever b is: one execution for any number of waiting threads. INCREMENT:
// from: a failed try stands where a load of what it read would stand: THREADS! executions, one for each order of the increments.
// from: KEPT: what the round before copied is read after the loop: a thread may see b = 1 in one round and leave the loop in the next
// run: -DWAIT | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAIT -DTHREADS=4 | sc rc20 --equivalence co | verdict=verified executions=1
// run: -DWAIT -DOUTSIDE | sc ra rc20 | verdict=verified executions=1
// run: -DINCREMENT | sc ra rc11 rc20 --equivalence co | verdict=verified executions=2
// run: -DINCREMENT -DTHREADS=3 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=6
// run: -DINCREMENT -DFIELDS -DTHREADS=3 | sc ra rc11 rc20 --equivalence co | verdict=verified executions=6
// run: -DKEPT -DTHREADS=1 | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif

struct pair {
  int a, b;
};

static _Atomic struct pair shared;

static void *thread(void *arg) {
#if defined(WAIT) && defined(OUTSIDE)
  struct pair copy;
  do {
    copy = atomic_load(&shared);
  } while (copy.a == 0);
  assert(copy.b == 2);
#elif defined(WAIT)
  for (;;) {
    struct pair copy = atomic_load(&shared);
    if (copy.a != 0)
      break;
  }
#elif defined(INCREMENT)
  struct pair old = atomic_load(&shared), new;
  do {
#ifdef FIELDS
    new.a = old.a + 1;
    new.b = old.b;
#else
    new = old;
    new.a++;
#endif
  } while (!atomic_compare_exchange_strong(&shared, &old, new));
#else
  struct pair copy = {0, 0}, before = {0, 0};
  do {
    before = copy;
    copy = atomic_load(&shared);
  } while (copy.a == 0);
  assert(before.b != 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, thread, NULL);
#ifndef INCREMENT
  struct pair value = {0, 1};
  atomic_store(&shared, value);
  value.a = 1;
  value.b = 2;
  atomic_store(&shared, value);
#endif
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
