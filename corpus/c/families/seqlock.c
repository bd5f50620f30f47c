// about: a sequence lock: one writer, readers that try again if the count changed; LB tries
// from: GenMC 0.11; sc also Nidhugg; rf = co; tso and pso lie between sc and ra
// run: -DREADERS=2 -DLB=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=256
// run: -DREADERS=2 -DLB=2 | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=256
// run: -DREADERS=2 -DLB=5 | ra rc11 rc20 | verdict=verified executions=961
// run: -DREADERS=2 -DLB=5 | ra --equivalence co | verdict=verified executions=961
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef READERS
#define READERS 2
#endif

#ifndef LB
#define LB 2
#endif

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_acq_rel)

static atomic_int seq, d1, d2;

static void *writer(void *arg) {
  (void)arg;
  for (int i = 0; i < LB; i++) {
    int o = GET(&seq);
    if (o & 1)
      continue;
    if (atomic_compare_exchange_strong_explicit(&seq, &o, o + 1, memory_order_acq_rel, memory_order_acquire)) {
      PUT(&d1, 1);
      PUT(&d2, 1);
      ADD(&seq, 1);
      break;
    }
  }
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  for (int i = 0; i < LB; i++) {
    int o = GET(&seq);
    if (o & 1)
      continue;
    int a = GET(&d1);
    int b = GET(&d2);
    if (GET(&seq) == o) {
      assert(a == b);
      break;
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[READERS + 1];
  pthread_create(&t[0], NULL, writer, NULL);
  for (int i = 1; i <= READERS; i++)
    pthread_create(&t[i], NULL, reader, (void *)(intptr_t)i);
  for (int i = 0; i <= READERS; i++)
    pthread_join(t[i], NULL);
}
