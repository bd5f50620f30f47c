// about: what seq_cst accesses and fences forbid, and what they do not; SHAPE is the shape, BUG weakens one access. 0 store buffering,
// about: 1 two readers of two writes (IRIW), 2 a write, a reader and a writer (RWC), 3 a fence beside a seq_cst reader, 4 a fence whose
// about: store is passed on by others, 5 store buffering with a fence on one side and accesses on the other, 6 store buffering by exchanges,
// about: 7 by failed compare-exchanges
// from: by hand, by the definitions: 1 with writes that are not seq_cst, 2 (whose write is relaxed), 3 and 4 tell C++20's order of
// from: seq_cst accesses from RC11's: there reading from a write and the order of writes alone bind the order, too. 7: a failed
// from: compare-exchange has its failure order
// run: -DSHAPE=0 | sc tso pso rc11 rc20 xmm | verdict=verified
// run: -DSHAPE=0 | sra ra | verdict=violation violation=assertion
// run: -DSHAPE=0 -DBUG | rc11 rc20 xmm | verdict=violation violation=assertion
// run: -DSHAPE=0 -DBUG | sc tso pso | verdict=verified
// run: -DSHAPE=1 | sc tso pso rc11 rc20 xmm | verdict=verified
// run: -DSHAPE=1 -DBUG | rc11 sra ra | verdict=violation violation=assertion
// run: -DSHAPE=1 -DBUG | sc tso pso rc20 xmm | verdict=verified
// run: -DSHAPE=2 | rc11 | verdict=violation violation=assertion
// run: -DSHAPE=2 | sc tso pso rc20 xmm | verdict=verified
// run: -DSHAPE=2 -DBUG | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DSHAPE=3 | rc11 | verdict=violation violation=assertion
// run: -DSHAPE=3 | sc tso pso rc20 xmm | verdict=verified
// run: -DSHAPE=4 | rc11 | verdict=violation violation=assertion
// run: -DSHAPE=4 | sc tso pso rc20 xmm | verdict=verified
// run: -DSHAPE=5 | sc tso pso rc11 rc20 xmm | verdict=verified
// run: -DSHAPE=5 -DBUG | tso pso rc11 rc20 xmm | verdict=violation violation=assertion
// run: -DSHAPE=6 | sc tso pso rc11 rc20 xmm | verdict=verified
// run: -DSHAPE=6 | sra ra | verdict=violation violation=assertion
// run: -DSHAPE=6 -DBUG | rc11 rc20 xmm | verdict=violation violation=assertion
// run: -DSHAPE=7 | sc tso pso rc11 rc20 xmm | verdict=verified
// run: -DSHAPE=7 -DBUG | rc11 rc20 xmm | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define relaxed memory_order_relaxed
#define acquire memory_order_acquire
#define release memory_order_release
#define seq_cst memory_order_seq_cst

static atomic_int x, y, z, w;
static int r0 = -1, r1 = -1, r2 = -1, r3 = -1;

static void set(atomic_int *at, memory_order order) { atomic_store_explicit(at, 1, order); }
static int get(atomic_int *at, memory_order order) { return atomic_load_explicit(at, order); }

#ifdef BUG
#define WEAK(order, weaker) weaker
#else
#define WEAK(order, weaker) order
#endif

#if SHAPE == 0
static void a(void) { set(&x, seq_cst), r0 = get(&y, WEAK(seq_cst, acquire)); }
static void b(void) { set(&y, seq_cst), r1 = get(&x, seq_cst); }
#define WRONG (r0 == 0 && r1 == 0)
#elif SHAPE == 1
static void a(void) { set(&x, WEAK(seq_cst, release)); }
static void b(void) { set(&y, WEAK(seq_cst, release)); }
static void c(void) { r0 = get(&x, seq_cst), r1 = get(&y, seq_cst); }
static void d(void) { r2 = get(&y, seq_cst), r3 = get(&x, seq_cst); }
#define WRONG (r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0)
#elif SHAPE == 2
static void a(void) { set(&x, relaxed); }
static void b(void) { r0 = get(&x, seq_cst), r1 = get(&y, seq_cst); }
static void c(void) { set(&y, WEAK(seq_cst, release)), r2 = get(&x, seq_cst); }
#define WRONG (r0 == 1 && r1 == 0 && r2 == 0)
#elif SHAPE == 3
static void a(void) { set(&x, relaxed), atomic_thread_fence(seq_cst), r0 = get(&y, relaxed); }
static void b(void) { set(&y, relaxed); }
static void c(void) { r1 = get(&y, seq_cst), r2 = get(&x, seq_cst); }
#define WRONG (r0 == 0 && r1 == 1 && r2 == 0)
#elif SHAPE == 4
static void a(void) { set(&z, relaxed), atomic_thread_fence(seq_cst), set(&x, relaxed); }
static void b(void) { r0 = get(&x, acquire), set(&w, relaxed); }
static void c(void) { r1 = get(&w, seq_cst), r2 = get(&z, seq_cst); }
#define WRONG (r0 == 1 && r1 == 1 && r2 == 0)
#elif SHAPE == 5
static void a(void) { set(&x, relaxed), atomic_thread_fence(WEAK(seq_cst, memory_order_acq_rel)), r0 = get(&y, relaxed); }
static void b(void) { set(&y, seq_cst), r1 = get(&x, seq_cst); }
#define WRONG (r0 == 0 && r1 == 0)
#elif SHAPE == 6
static void a(void) { atomic_exchange_explicit(&x, 1, WEAK(seq_cst, acquire)), r0 = get(&y, seq_cst); }
static void b(void) { atomic_exchange_explicit(&y, 1, seq_cst), r1 = get(&x, seq_cst); }
#define WRONG (r0 == 0 && r1 == 0)
#else
static int fails(atomic_int *at, memory_order failure) {
  int old = 7;
  atomic_compare_exchange_strong_explicit(at, &old, 9, seq_cst, failure);
  return old;
}
static void a(void) { set(&x, seq_cst), r0 = fails(&y, WEAK(seq_cst, acquire)); }
static void b(void) { set(&y, seq_cst), r1 = fails(&x, seq_cst); }
#define WRONG (r0 == 0 && r1 == 0)
#endif
#if SHAPE != 1
static void d(void) {}
#if SHAPE == 0 || SHAPE >= 5
static void c(void) {}
#endif
#endif

static void (*const bodies[4])(void) = {a, b, c, d};

static void *run(void *arg) {
  bodies[(size_t)arg]();
  return NULL;
}

int main(void) {
  pthread_t t[4];
  for (size_t i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  (void)z, (void)w, (void)r2, (void)r3;
  assert(!WRONG); //! assertion
}
