// about: a bounded queue for many producers and consumers; only its counters are shared; every wait is LB looks
// from: GenMC 0.11; 15752: also the GenMC-XMM thesis; rf = co
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DLB=2 | sc tso | verdict=verified executions=1550
// run: -DLB=2 | ra | verdict=verified executions=2056
// run: -DLB=2 | rc11 rc20 | verdict=verified executions=3284
// run: -DLB=2 | sc tso --equivalence co | verdict=verified executions=1550
// run: -DLB=2 | ra --equivalence co | verdict=verified executions=2056
// run: -DLB=2 | rc11 rc20 --equivalence co | verdict=verified executions=3284
// run: -DLB=5 | rc11 | verdict=verified executions=15752
// long: -DLB=5 | sc tso | verdict=verified executions=5668
// long: -DLB=5 | ra | verdict=verified executions=11096
// long: -DLB=5 | rc20 | verdict=verified executions=15752
// long: -DLB=5 | rc11 --equivalence co | verdict=verified executions=15752
// run: -DLB=5 | xmm --equivalence co | verdict=verified executions=15752
// long: -DLB=5 | xmm | verdict=verified executions=15752
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifndef LB
#define LB 2
#endif

#define SLOTS 4

// reads in the upper half, writes in the lower
static atomic_uint rdwr;
static atomic_uint rd, wr;

static unsigned reads(unsigned v) { return v >> 16; }
static unsigned writes(unsigned v) { return v & 0xffff; }

static int wait_for(atomic_uint *counter, unsigned level) {
  for (int i = 0; i < LB; i++)
    if (atomic_load_explicit(counter, memory_order_acquire) == level)
      return 1;
  return 0;
}

static int prepare(void) {
  unsigned v = atomic_load_explicit(&rdwr, memory_order_acquire);
  for (int i = 0; i < LB; i++) {
    if (writes(v) == reads(v) + SLOTS)
      return 0;
    if (atomic_compare_exchange_strong_explicit(&rdwr, &v, v + 1, memory_order_acq_rel, memory_order_acquire))
      return wait_for(&rd, reads(v));
  }
  return 0;
}

static void publish(void) { atomic_fetch_add_explicit(&wr, 1, memory_order_release); }

static int fetch(void) {
  unsigned v = atomic_load_explicit(&rdwr, memory_order_acquire);
  for (int i = 0; i < LB; i++) {
    if (writes(v) == reads(v))
      return 0;
    if (atomic_compare_exchange_strong_explicit(&rdwr, &v, v + (1 << 16), memory_order_acq_rel, memory_order_acquire))
      return wait_for(&wr, writes(v));
  }
  return 0;
}

static void consume(void) { atomic_fetch_add_explicit(&rd, 1, memory_order_release); }

static void *run(void *arg) {
  (void)arg;
  prepare();
  publish();
  for (int i = 0; i < LB; i++) {
    if (!fetch())
      break;
    consume();
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  prepare();
  publish();
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
