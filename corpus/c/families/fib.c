// about: Fibonacci: two threads add each other's variable to their own, a third reads both
// from: GenMC 0.11 (sc, tso, ra, rc11), Nidhugg (sc, pso); 525630 also in the release-acquire paper, 34205 in the GenMC-XMM thesis
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DNUM=1 | sc tso pso ra rc11 rc20 | verdict=verified executions=11
// run: -DNUM=2 | sc | verdict=verified executions=140
// run: -DNUM=2 | tso pso ra rc11 rc20 | verdict=verified executions=153
// run: -DNUM=3 | sc | verdict=verified executions=1698
// run: -DNUM=3 | tso pso ra rc11 rc20 | verdict=verified executions=2258
// run: -DNUM=2 | tso ra rc11 rc20 --equivalence co | verdict=verified executions=153
// run: -DNUM=3 | sc --equivalence co | verdict=verified executions=1698
// run: -DNUM=4 | sc | verdict=verified executions=19605
// run: -DNUM=4 | ra | verdict=verified executions=34205
// long: -DNUM=4 | tso pso rc11 rc20 | verdict=verified executions=34205
// long: -DNUM=5 | sc | verdict=verified executions=218243
// long: -DNUM=5 | tso ra rc11 | verdict=verified executions=525630
// run: -DNUM=4 | xmm | verdict=verified executions=34205
// run: -DNUM=4 | xmm --equivalence co | verdict=verified executions=34205
// run: -DNUM=3 | xmm --equivalence co --report lb-races --races ignore | lb_races=0
// run: -DNUM=4 | xmm --equivalence co --report lb-races --races ignore | lb_races=0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef NUM
#define NUM 2
#endif

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static atomic_int x = 1, y = 1;

static void *grow_x(void *arg) {
  (void)arg;
  for (int i = 0; i < NUM; i++) {
    int p = GET(&x);
    int q = GET(&y);
    PUT(&x, p + q);
  }
  return NULL;
}

static void *grow_y(void *arg) {
  (void)arg;
  for (int i = 0; i < NUM; i++) {
    int p = GET(&x);
    int q = GET(&y);
    PUT(&y, p + q);
  }
  return NULL;
}

static void *look(void *arg) {
  (void)arg;
  (void)GET(&x);
  (void)GET(&y);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, grow_x, NULL);
  pthread_create(&t[1], NULL, grow_y, NULL);
  pthread_create(&t[2], NULL, look, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
