// about: a ticket lock whose counters have 8 bits and are about to wrap round
// from: by hand: both counters wrap together, and so the lock works on; if one of them is wider, the ticket after the last is never
// from: called
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified executions=2
// run: -DN=3 | sc rc20 | verdict=verified executions=6
// run: -DBUG_WIDER | sc tso pso sra ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static _Atomic uint8_t next = 255;
#ifdef BUG_WIDER
static atomic_int called = 255;
#else
static _Atomic uint8_t called = 255;
#endif
static int d;

static void *run(void *arg) {
  uint8_t mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&called, memory_order_acquire) != mine) //! liveness
    ;
  d = d + 1;
  int now = atomic_load_explicit(&called, memory_order_relaxed);
  atomic_store_explicit(&called, now + 1, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(d == N);
}
