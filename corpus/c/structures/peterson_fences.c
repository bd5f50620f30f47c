// about: Peterson's lock with relaxed stores and one seq_cst fence in each thread
// from: by hand: right on machines with store buffers, also with the turn released (under pso the flag may not be overtaken by it). In
// from: C and C++ it is wrong: nothing orders the two stores of the turn with the fences, so that the turn of the thread whose fence
// from: comes first may be the later one; both go in. With the turn exchanged, acquire and release, who exchanges second sees the flag
// from: of the other, and it is right
// run: | sc tso pso | verdict=verified
// run: | rc11 rc20 | verdict=violation violation=race
// run: -DEXCHANGE | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG_ONE_FENCE | tso pso | verdict=violation violation=assertion
// run: -DBUG_ONE_FENCE | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int d;

static void *run(void *arg) {
  int i = (int)(size_t)arg, other = 1 - i;
  atomic_store_explicit(&wants[i], 1, memory_order_relaxed);
#ifdef EXCHANGE
  atomic_exchange_explicit(&turn, other, memory_order_acq_rel);
#else
  atomic_store_explicit(&turn, other, memory_order_release);
#ifdef BUG_ONE_FENCE
  if (i == 1)
#endif
    atomic_thread_fence(memory_order_seq_cst);
#endif
  while (atomic_load_explicit(&wants[other], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_acquire) == other)
    ;
  d = d + 1; //! race
  atomic_store_explicit(&wants[i], 0, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)0);
  pthread_create(&b, NULL, run, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(d == 2); //! assertion
}
