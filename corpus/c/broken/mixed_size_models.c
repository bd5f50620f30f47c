// about: parts of atomic objects where models give no meaning to them: a store to a part that waits in a store buffer while a
// about: load of the whole may overtake it (tso), one that races where stores are not to all threads at once (pso, sra, ra,
// about: rc11, rc20), a plain one that races, any part under xmm
// refuse: -DSTORE -DLOAD | tso
// refuse: -DSTORE | pso sra ra rc11 rc20 xmm
// refuse: -DADD | sra ra rc11 rc20 xmm
// refuse: -DPLAIN | sc tso pso sra ra rc11 rc20 xmm
// run: -DSTORE | sc tso | verdict=verified
// run: -DSTORE -DLOAD | sc | verdict=verified
// run: -DADD | sc tso pso | verdict=verified
// run: -DADD -DBUG | sc tso pso | verdict=violation violation=assertion
// from: by hand: where parts have a meaning the bytes beside them stay as they are
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t low, high;
  } half;
  struct {
    uint32_t low, high;
  } plain;
} x;

static void *part(void *arg) {
#if defined STORE
  atomic_store_explicit(&x.half.low, 1, memory_order_release);
#ifdef LOAD
  uint64_t seen = atomic_load_explicit(&x.whole, memory_order_acquire);
  assert((uint32_t)seen == 1);
#endif
#elif defined ADD
  atomic_fetch_add(&x.half.low, 1);
#elif defined PLAIN
  x.plain.low = 1;
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, part, 0);
  uint64_t before = atomic_fetch_add(&x.whole, (uint64_t)1 << 32);
  assert(before <= 1);
  pthread_join(thread, 0);
#ifdef BUG
  assert(before == 0); //! assertion
#endif
  assert(atomic_load(&x.whole) == ((uint64_t)1 << 32 | 1));
  return 0;
}
