// about: in some executions the program ends before it starts its threads: those have no state there
// from: by hand: the choice gives 1 + n executions, n of them with the threads
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: | sc tso pso ra rc11 rc20 --all -j 2 | executions=2 verdict=verified
// run: -DLATE | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DEXIT | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DLEAK | sc tso pso ra rc11 rc20 | executions=2 verdict=verified leaks=1
// run: -DTWO | sc tso pso ra rc11 rc20 | executions=3 verdict=verified
// run: -DMUTEX | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DMUTEX | sc tso pso ra rc11 rc20 --locks ordered | executions=2 verdict=verified
// run: -DHELD | sc rc20 | executions=2 verdict=verified held=1
#include <pthread.h>
#include <raveler.h>
#include <stdlib.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
#if defined MUTEX || defined HELD
  pthread_mutex_lock(&m);
#endif
  x = 1;
#ifdef MUTEX
  pthread_mutex_unlock(&m);
#endif
#ifdef LEAK
  *(volatile int *)malloc(sizeof(int)) = 1;
#endif
  return arg;
}

int main(void) {
  pthread_t t, u;
#ifdef LATE
  int early = rv_choose(0, 1);
  if (early)
    x = 2;
  if (early)
    return 1;
#elif defined EXIT
  if (rv_choose(0, 1))
    exit(0);
#else
  if (rv_choose(0, 1))
    return 0;
#endif
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
#ifdef TWO
  if (rv_choose(0, 1))
    return 0;
  pthread_create(&u, NULL, run, NULL);
  pthread_join(u, NULL);
#else
  (void)u;
#endif
}
