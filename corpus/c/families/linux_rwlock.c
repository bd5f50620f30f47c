// about: the reader-writer lock of old Linux kernels; a thread that has tried LB times gives up
// from: GenMC 0.11; sc, tso and relaxed pso also Nidhugg; rf = co
// run: -DLB=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=688
// run: -DLB=2 | sc tso ra rc11 rc20 --equivalence co | verdict=verified executions=688
// run: -DLB=2 -DRELAXED | pso --equivalence co | verdict=verified executions=688
// run: -DLB=6 | ra rc11 rc20 | verdict=verified executions=3228
// run: -DLB=6 | ra --equivalence co | verdict=verified executions=3228
// run: -DLB=6 -DONE_READER_ONE_WRITER | ra rc11 rc20 | verdict=verified executions=18
// run: -DLB=6 -DTWO_WRITERS | ra rc11 rc20 | verdict=verified executions=18
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef LB
#define LB 2
#endif

#ifdef RELAXED
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_relaxed)
#else
#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_acq_rel)
#endif

#define BIAS (1 << 20)

static atomic_int l = BIAS;

static int is_free(int step, int seen) { return step == BIAS ? seen == BIAS : seen > 0; }

static int wait_free(int step) {
  for (int i = 0; i < LB; i++)
    if (is_free(step, GET(&l)))
      return 1;
  return 0;
}

// step: 1 to read, BIAS to write
static int section(int step) {
  int seen = ADD(&l, -step);
  for (int i = 0; i < LB; i++) {
    if (is_free(step, seen)) {
      ADD(&l, step);
      return 1;
    }
    ADD(&l, step);
    if (!wait_free(step))
      return 0;
    seen = ADD(&l, -step);
  }
  return 0;
}

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
#ifdef ONE_READER_ONE_WRITER
  section(id == 0 ? 1 : BIAS);
#elif defined TWO_WRITERS
  (void)id;
  section(BIAS);
#else
  (void)id;
  if (section(1))
    section(BIAS);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
