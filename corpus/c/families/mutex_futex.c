// about: a lock that marks itself as waited for; waiting threads sleep until a bell has rung; the datum inside is plain
// from: the GenMC-XMM thesis and the test suite of GenMC (co); rf measured
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=2 | rc11 rc20 | verdict=verified executions=12
// run: -DN=2 | rc11 rc20 --equivalence co | verdict=verified executions=12
// run: -DN=2 | xmm | verdict=verified executions=12
// run: -DN=2 | xmm --equivalence co | verdict=verified executions=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

// 0: free, 1: taken, 2: taken and waited for
static atomic_int word;
static atomic_int bell;
static int datum;

static int replace(int expected, int desired, memory_order order) {
  return atomic_compare_exchange_strong_explicit(&word, &expected, desired, order, memory_order_relaxed);
}

static void lock(void) {
  if (replace(0, 1, memory_order_acquire))
    return;
  do {
    replace(1, 2, memory_order_relaxed);
    int rung = atomic_load_explicit(&bell, memory_order_acquire);
    if (atomic_load_explicit(&word, memory_order_acquire) == 2)
      while (atomic_load_explicit(&bell, memory_order_acquire) == rung)
        ;
  } while (!replace(0, 2, memory_order_acquire));
}

static void unlock(void) {
  if (replace(1, 0, memory_order_release))
    return;
  atomic_store_explicit(&word, 0, memory_order_release);
  atomic_fetch_add_explicit(&bell, 1, memory_order_release);
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  lock();
  datum = me;
  assert(datum == me);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
