// about: an atomic object of eight bytes whose halves are read by themselves
// from: by hand: one write of the whole. A load of a half reads it or not; two loads of the same half in one thread read
// from: it in order. Loads of different halves do so where loads are in order (sc, tso, pso) or acquire (sra, ra): then
// from: 3 of 4 combinations remain. In C and C++ they are relaxed, and of different memory: all 4. Of three loads, low,
// from: high, low, the two of the low half are ordered: 3 x 2 executions, else 4
// run: -DCOUNT | sc tso pso sra ra | verdict=verified executions=3
// run: -DCOUNT | rc11 rc20 | verdict=verified executions=4
// run: -DCOUNT | rc11 rc20 --equivalence co | verdict=verified executions=4
// run: -DCOUNT -DTHRICE | sc tso pso sra ra | verdict=verified executions=4
// run: -DCOUNT -DTHRICE | rc11 rc20 | verdict=verified executions=6
// run: -DCOUNT -DTHRICE | rc20 --equivalence co | verdict=verified executions=6
// run: -DCOUNT -DTHRICE | sc tso pso --engine interleaving | verdict=verified
// run: | sc tso pso sra ra | verdict=verified
// run: | rc11 rc20 | verdict=violation violation=assertion
// run: -DACQUIRE | rc11 rc20 | verdict=verified
// run: -DBEHIND | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBEHIND | rc11 rc20 --equivalence co | verdict=verified
// run: -DBEHIND -DBUG | sc tso pso sra ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t low, high;
  } half;
} x;

#define RELAXED memory_order_relaxed
#ifdef ACQUIRE
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE RELAXED
#define LOAD RELAXED
#endif

static void *writer(void *arg) {
  (void)arg;
  atomic_store_explicit(&x.whole, 0x100000001, STORE);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  uint32_t low = atomic_load_explicit(&x.half.low, LOAD);
#ifdef BEHIND
  // What is written behind a load comes after what the load has read, whichever part that is.
  atomic_store_explicit(&x.whole, 0x200000002, RELAXED);
  return (void *)(uintptr_t)low;
#endif
  uint32_t high = atomic_load_explicit(&x.half.high, LOAD);
#ifdef THRICE
  uint32_t again = atomic_load_explicit(&x.half.low, LOAD);
  assert(low <= again);
#endif
#ifndef COUNT
  assert(!(low == 1 && high == 0)); //! assertion
#endif
  (void)high;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  void *low;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, &low);
#ifdef BEHIND
  uint32_t last = atomic_load_explicit(&x.half.high, RELAXED);
#ifdef BUG
  assert(last == 2); //! assertion
#else
  assert(last == 2 || low == NULL);
#endif
#endif
  return 0;
}
