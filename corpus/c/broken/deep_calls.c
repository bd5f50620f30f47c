// about: many calls inside each other: the stack has a size in bytes, not in calls
// from: by hand: 8 MiB are enough for 5000 calls with a variable or two, or with a kilobyte each; not for 10,000 with a
// from: kilobyte each. A smaller stack given by the user is a bound of the search, not one of the program; a larger one is
// from: the program's
// run: -DN=5000 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DN=100000 | sc | verdict=verified executions=1
// run: -DN=5000 -DBYTES=1000 | sc rc20 | verdict=verified executions=1
// run: -DN=10000 -DBYTES=1000 | sc rc20 | verdict=violation violation=stack-overflow
// run: -DN=10000 -DBYTES=1000 | sc rc20 --max-stack 20000000 | verdict=verified executions=1
// run: -DN=100000 -DBYTES=1000 | sc rc20 --max-stack 20000000 | verdict=violation violation=stack-overflow
// run: -DN=5000 | sc rc20 --max-stack 100000 | verdict=inconclusive
// run: -DN=500 | sc rc20 --max-stack 100000 | verdict=verified executions=1
// run: -DN=5000 -DTHREAD | sc rc20 | verdict=verified executions=1
// run: -DN=5000 -DTHREAD -DEVENTS | sc | verdict=verified executions=1
// run: -DN=5 -DBYTES=4000000 | sc rc20 | verdict=violation violation=stack-overflow
// run: -DN=-1 | sc rc20 | verdict=violation violation=stack-overflow
// run: -DN=-1 -DBYTES=40 | sc rc20 | verdict=violation violation=stack-overflow
// run: -DN=-1 | sc rc20 --max-stack 100000 | verdict=inconclusive
// run: -DN=-1 -DTHREAD -DEVENTS | sc | verdict=inconclusive
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static int depth(int n) {
#ifdef BYTES
  char room[BYTES];
  room[0] = n != 0;
  char *volatile kept = room; //! stack-overflow
  if (!*kept)
    return 0;
#endif
#ifdef EVENTS
  atomic_fetch_add(&count, 1);
#endif
  return n == 0 ? 0 : 1 + depth(n - 1); //! stack-overflow
}

static void *run(void *arg) {
  assert(depth(N) == N);
  return arg;
}

int main(void) {
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
#else
  run(NULL);
#endif
}
