// about: the reader-writer lock of old Linux kernels; who does not get in at once is stuck (default) or undoes its step and spins (SPIN)
// from: GenMC 0.11, the GenMC-XMM thesis, for a spin taken as stuck; rf = co. With SPIN every undone step is an event of its own.
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DREADERS=2 -DWRITERS=3 | rc11 rc20 | verdict=verified executions=216
// run: -DREADERS=2 -DWRITERS=3 | rc11 rc20 --equivalence co | verdict=verified executions=216
// run: -DREADERS=1 -DWRITERS=1 -DSPIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DREADERS=2 -DWRITERS=3 | xmm | verdict=verified executions=216
// run: -DREADERS=2 -DWRITERS=3 | xmm --equivalence co | verdict=verified executions=216
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef READERS
#define READERS 2
#endif

#ifndef WRITERS
#define WRITERS 3
#endif

void __VERIFIER_assume(int);

#define BIAS (1 << 20)

static atomic_int l = BIAS;

static int is_free(int step, int seen) { return step == BIAS ? seen == BIAS : seen > 0; }

// step: 1 to read, BIAS to write
static void enter(int step) {
  int seen = atomic_fetch_sub_explicit(&l, step, memory_order_acquire);
#ifdef SPIN
  while (!is_free(step, seen)) {
    atomic_fetch_add_explicit(&l, step, memory_order_relaxed);
    while (!is_free(step, atomic_load_explicit(&l, memory_order_relaxed)))
      ;
    seen = atomic_fetch_sub_explicit(&l, step, memory_order_acquire);
  }
#else
  __VERIFIER_assume(is_free(step, seen));
#endif
}

static void leave(int step) { atomic_fetch_add_explicit(&l, step, memory_order_release); }

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  int step = id < READERS ? 1 : BIAS;
  enter(step);
  leave(step);
  return NULL;
}

int main(void) {
  pthread_t t[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(t[i], NULL);
}
