// about: arrays of variable length end where their block ends; memory of alloca lives as long as the call
// from: by hand: as scopes_shared.c. A thread that is joined inside the block uses the array in time, one that is joined after
// from: it does not, whichever way the block is left. Each round of a loop has an array of its own: one execution. What alloca
// from: gives outlives the block it is called in, unless an array of variable length ends around it
// run: -DJOINED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DJOINED | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=1
// run: -DLATE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLATE | sc rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DGOTO | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCONTINUE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DNESTED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DNESTED -DOUTER | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DALLOCA | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DALLOCA -DBESIDE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DPOLLS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DTWO | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DPRIVATE | sc rc20 | verdict=violation violation=use-after-free
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
volatile int length = 3;

static void *user(void *arg) {
#ifdef POLLS
  // Each round puts an array on the stack and takes it off again: all rounds are alike.
  for (;;) {
    int seen[length];
    seen[1] = atomic_load_explicit(&flag, memory_order_acquire);
    if (seen[1]) break;
  }
#else
  int *p = arg;
  p[1]++; //! use-after-free
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  int n = length;
#if defined JOINED
  for (int round = 0; round < 2; round++) {
    int a[n + round];
    a[1] = round;
    pthread_create(&t, 0, user, a);
    pthread_join(t, 0);
    assert(a[1] == round + 1);
  }
#elif defined LATE
  {
    int a[n];
    a[1] = 0;
    pthread_create(&t, 0, user, a);
  }
  pthread_join(t, 0);
#elif defined GOTO
  {
    int a[n];
    a[1] = 0;
    pthread_create(&t, 0, user, a);
    if (n > 2) goto out;
    a[1] = 1;
  }
out:
  pthread_join(t, 0);
#elif defined CONTINUE
  for (int round = 0; round < 2; round++) {
    int a[n];
    a[1] = 0;
    if (round) continue;
    pthread_create(&t, 0, user, a);
  }
  pthread_join(t, 0);
#elif defined NESTED
  {
    int outer[n];
    outer[1] = 0;
    {
      int inner[n];
      inner[1] = 0;
#ifdef OUTER
      pthread_create(&t, 0, user, outer);
#else
      pthread_create(&t, 0, user, inner);
#endif
    }
    pthread_join(t, 0);
  }
#elif defined ALLOCA
  int *p;
  {
#ifdef BESIDE
    int a[n];
    a[0] = 0;
#endif
    p = alloca(n * sizeof *p);
    p[1] = 0;
  }
  pthread_create(&t, 0, user, p);
  pthread_join(t, 0);
#elif defined POLLS
  pthread_create(&t, 0, user, 0);
  atomic_store_explicit(&flag, 1, memory_order_release);
  pthread_join(t, 0);
#elif defined TWO
  {
    int a[n], b[n + 1];
    a[1] = b[3] = 7;
    pthread_create(&t, 0, user, a);
    pthread_join(t, 0);
    assert(a[1] == 8 && b[3] == 7);
  }
#elif defined PRIVATE
  int *p;
  {
    int a[n];
    a[1] = 0;
    p = a;
  }
  p[1]++; //! use-after-free
  (void)t;
#endif
  return 0;
}
