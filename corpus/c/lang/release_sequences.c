// about: what goes on with a release: HOW the flag gets its value. 1 a later store of the same thread, 2 an update by another thread,
// about: 3 a store by another thread, 4 a fence before a relaxed store, 5 an update, seen by a relaxed load before a fence, 6 a signal
// about: fence instead, 7 two updates in a row, 8 a fence behind the store
// from: by hand: C11's release sequence has the same thread's later stores (rc11), C++20's has not (rc20, xmm); updates always go on with
// from: it, stores of others end it; a release fence works for stores behind it, a signal fence for no other thread. Machines with store
// from: buffers and ra order all of these by themselves, pso all but 6 and 8, which have no barrier before the flag
// run: -DHOW=1 | sc tso pso sra ra rc11 | verdict=verified
// run: -DHOW=1 | rc20 xmm | verdict=violation violation=race
// run: -DHOW=2 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DHOW=3 | sc tso pso sra ra | verdict=verified
// run: -DHOW=3 | rc11 rc20 xmm | verdict=violation violation=race
// run: -DHOW=4 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DHOW=5 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DHOW=6 | sc tso sra ra | verdict=verified
// run: -DHOW=6 | pso | verdict=violation violation=assertion
// run: -DHOW=6 | rc11 rc20 xmm | verdict=violation violation=race
// run: -DHOW=7 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DHOW=8 | pso | verdict=violation violation=assertion
// run: -DHOW=8 | rc11 rc20 xmm | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define relaxed memory_order_relaxed

static atomic_int flag;
static int data;

static void *writer(void *arg) {
  data = 1; //! race
#if HOW == 1
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 2, relaxed);
#elif HOW == 4
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 2, relaxed);
#elif HOW == 6
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&flag, 2, relaxed);
#elif HOW == 8
  atomic_store_explicit(&flag, 2, relaxed);
  atomic_thread_fence(memory_order_release);
#else
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  return arg;
}

static void *other(void *arg) {
#if HOW == 2 || HOW == 5
  int old = 1;
  atomic_compare_exchange_strong_explicit(&flag, &old, 2, relaxed, relaxed);
#elif HOW == 3
  if (atomic_load_explicit(&flag, relaxed) == 1)
    atomic_store_explicit(&flag, 2, relaxed);
#elif HOW == 7
  int old = 1;
  if (atomic_compare_exchange_strong_explicit(&flag, &old, 3, relaxed, relaxed))
    atomic_fetch_sub_explicit(&flag, 1, relaxed);
#endif
  return arg;
}

static void *reader(void *arg) {
#if HOW == 5
  int seen = atomic_load_explicit(&flag, relaxed);
  atomic_thread_fence(memory_order_acquire);
#else
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
#endif
  if (seen == 2)
    assert(data == 1); //! race assertion
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, other, NULL);
  pthread_create(&t[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
