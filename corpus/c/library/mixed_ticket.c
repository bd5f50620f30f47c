// about: a ticket lock in one word, as in old kernels: taken by adding to the whole, given back by storing one half
// from: by hand: the halves are the next ticket and the one that is served. Under sc and tso a store of a half leaves the
// from: other one as it is, so nobody's ticket is lost; N threads take the lock in N! orders, and what is
// from: counted besides is from which store of the other half a ticket or a round comes. WRONG stores the whole instead: a
// from: ticket that the third thread draws before the second gives back is forgotten, and given out again where the
// from: first one had given back in between; with two threads that cannot be. TWICE does not wait
// run: -DN=2 | sc tso | verdict=verified
// run: -DN=3 | sc tso | verdict=verified
// run: -DN=2 | sc tso --engine interleaving | verdict=verified
// run: -DN=2 -DCHECKED | sc tso | verdict=verified
// run: -DN=2 -DWRONG | sc tso | verdict=verified
// run: -DN=3 -DWRONG | sc tso | verdict=violation
// run: -DN=2 -DTWICE | sc tso | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t served, next;
  } half;
} lock;

static atomic_int inside;

static void *work(void *arg) {
  (void)arg;
  uint64_t old = atomic_fetch_add_explicit(&lock.whole, (uint64_t)1 << 32, memory_order_acquire);
  uint32_t ticket = old >> 32;
#ifndef TWICE
  while (atomic_load_explicit(&lock.half.served, memory_order_acquire) != ticket)
    ;
#endif
  assert(atomic_fetch_add(&inside, 1) == 0); //! assertion
  atomic_fetch_sub(&inside, 1);
#ifdef WRONG
  atomic_store_explicit(&lock.whole, (uint64_t)(ticket + 1) << 32 | (ticket + 1), memory_order_release);
#else
  atomic_store_explicit(&lock.half.served, ticket + 1, memory_order_release);
#endif
#ifdef CHECKED
  atomic_thread_fence(memory_order_seq_cst);
  assert(atomic_load_explicit(&lock.half.served, memory_order_relaxed) > ticket);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  assert(atomic_load(&lock.whole) == ((uint64_t)N << 32 | N)); //! assertion
}
