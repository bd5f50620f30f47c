// about: two setters of a and b, two checkers that look at them in C's short-circuit order
// from: GenMC 0.11 and Nidhugg (sc rf, tso co); relaxed: GenMC 0.11, the GenMC-XMM thesis (rc11 co), Nidhugg (pso co)
// from: xmm: as rc20; the GenMC-XMM thesis
// run: | sc tso | verdict=verified executions=377
// run: | ra rc11 rc20 | verdict=verified executions=385
// run: | sc tso --equivalence co | verdict=verified executions=772
// run: | ra rc11 rc20 --equivalence co | verdict=verified executions=842
// run: -DRELAXED | sc tso | verdict=verified executions=377
// run: -DRELAXED | rc11 rc20 | verdict=verified executions=503
// run: -DRELAXED | rc11 rc20 --equivalence co | verdict=verified executions=1296
// run: -DRELAXED | pso --equivalence co | verdict=verified executions=1136
// run: -DRELAXED | xmm --equivalence co | verdict=verified executions=1296
// run: -DRELAXED | xmm --equivalence co --report lb-races --races ignore | lb_races=0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifdef RELAXED
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#else
#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#endif

static atomic_int a, b;

static void *setter(void *arg) {
  (void)arg;
  PUT(&a, 1);
  PUT(&b, -1);
  return NULL;
}

static void *checker(void *arg) {
  (void)arg;
  if (GET(&a) == 0 && GET(&b) == 0)
    return NULL;
  if (GET(&a) == 1)
    (void)GET(&b);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, setter, (void *)(intptr_t)0);
  pthread_create(&t[1], NULL, setter, (void *)(intptr_t)1);
  pthread_create(&t[2], NULL, checker, (void *)(intptr_t)2);
  pthread_create(&t[3], NULL, checker, (void *)(intptr_t)3);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
}
