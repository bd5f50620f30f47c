// about: Dijkstra's mutual exclusion of two threads, R rounds, LB tries each; what store buffers of bounded size allow
// from: the numbers of the interleavings' classes by reads-from; a bound of 0 is sc, and a large one changes nothing
// run: -DR=1 | sc | verdict=verified executions=39
// run: -DR=1 | sc --buffer-bound 1 | verdict=verified executions=39
// run: -DR=1 | tso pso --buffer-bound 0 | verdict=inconclusive executions=39
// run: -DR=1 | tso --buffer-bound 1 | verdict=inconclusive executions=68
// run: -DR=1 | tso --buffer-bound 2 | verdict=inconclusive executions=71
// run: -DR=1 | tso --buffer-bound 3 | verdict=inconclusive executions=71
// run: -DR=1 | tso | verdict=verified executions=71
// run: -DR=1 | pso --buffer-bound 1 | verdict=inconclusive executions=110
// run: -DR=1 | pso --buffer-bound 2 | verdict=inconclusive executions=116
// run: -DR=1 | pso --buffer-bound 3 | verdict=verified executions=116
// run: -DR=1 | pso | verdict=verified executions=116
// run: -DR=2 | sc | verdict=verified executions=3509
// run: -DR=2 | tso --buffer-bound 0 | verdict=inconclusive executions=3509
// run: -DR=2 | tso --buffer-bound 1 | verdict=inconclusive executions=10227
// run: -DR=2 | tso --buffer-bound 2 | verdict=inconclusive executions=12423
// run: -DR=2 | tso --buffer-bound 3 | verdict=inconclusive executions=13338
// run: -DR=2 | tso | verdict=verified executions=14352
// run: -DR=2 | pso --buffer-bound 0 | verdict=inconclusive executions=3509
// run: -DR=2 | pso | verdict=verified executions=68736
// long: -DR=3 | sc | verdict=verified executions=366528
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef R
#define R 1
#endif

#ifndef LB
#define LB 1
#endif

#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int flag[2], turn, x;

static int try_to_enter(int me) {
  PUT(&flag[me], 1);
  for (int i = 0; i < LB; i++) {
    int v = GET(&turn);
    if (v == me)
      break;
    if (GET(&flag[v]) == 0)
      PUT(&turn, me);
  }
  PUT(&flag[me], 2);
  return GET(&flag[1 - me]) != 2;
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int k = 0; k < R; k++) {
    for (int i = 0; i < LB; i++)
      if (try_to_enter(me)) {
        PUT(&x, me);
        (void)GET(&x);
        break;
      }
    PUT(&flag[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
