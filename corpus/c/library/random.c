// about: random numbers are a fixed sequence of each thread: loops that wait for another number end, loops with a random pause
// about: come back to where they were, and can be seen to wait
// from: by hand: neighbours in the sequence differ and every small remainder occurs; it repeats after 16 numbers
// run: -DANOTHER | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DREMAINDERS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DSEEDED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DSAME_IN_THREADS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DRAND_R | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DRANDOM | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DDRAND48 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DBACK_OFF | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBACK_OFF -DBUG_NOBODY | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBACK_OFF -DBUG_NOBODY -DRAND_R | sc rc20 | verdict=violation violation=liveness
// run: -DBUG_ALWAYS | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static int draw(unsigned *seed) {
#ifdef RAND_R
  return rand_r(seed);
#else
  (void)seed;
  return rand();
#endif
}

static void *waiter(void *arg) {
  unsigned seed = 1;
  while (!atomic_load(&ready)) { //! liveness
    for (volatile int i = draw(&seed) % 4; i > 0; i--)
      ;
  }
  return arg;
}

static void *first(void *arg) {
  (void)arg;
  return (void *)(long)rand();
}

int main(void) {
#if defined BACK_OFF
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
#ifndef BUG_NOBODY
  atomic_store(&ready, 1);
#endif
  pthread_join(t, NULL);
#elif defined ANOTHER
  int x = rand(), y;
  do
    y = rand();
  while (y == x);
#elif defined REMAINDERS
  for (int n = 1; n <= 8; n++)
    for (int r = 0; r < n; r++)
      while (rand() % n != r)
        ;
#elif defined SEEDED
  srand(5);
  int a = rand(), b = rand();
  srand(5);
  assert(a == rand() && b == rand() && a != b);
#elif defined SAME_IN_THREADS
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, NULL, first, NULL);
  pthread_join(t, &a);
  rand();
  pthread_create(&u, NULL, first, NULL);
  pthread_join(u, &b);
  assert(a == b);
#elif defined RAND_R
  unsigned seed = 1, other = 1;
  int a = rand_r(&seed), b = rand_r(&seed);
  assert(a != b && a == rand_r(&other) && b == rand_r(&other));
#elif defined RANDOM
  long a = random(), b = random(), c = lrand48();
  assert(a >= 0 && a != b && b != c && a <= RAND_MAX);
#elif defined DRAND48
  double a = drand48(), b = drand48();
  assert(0 <= a && a < 1 && 0 <= b && b < 1 && a != b);
#elif defined BUG_ALWAYS
  for (int i = 0; i < 16; i++)
    assert(rand() % 3 != 0); //! assertion
#endif
  (void)waiter;
  (void)first;
  (void)draw;
}
