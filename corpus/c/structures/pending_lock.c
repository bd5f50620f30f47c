// about: a spin lock with a bit for who is next (as in Linux's queued lock): one who comes second sets the bit, waits for the lock
// about: alone, and takes it over together with the bit
// from: by hand: the bit excludes others from waiting at the lock. Who waits for the lock must acquire when it sees it free. An unlock
// from: that clears the whole word forgets that somebody waits: then two are let in
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_WAIT | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_CLEARS_ALL -DTHREADS=3 | sc tso pso | verdict=violation
// run: -DBUG_CLEARS_ALL -DTHREADS=3 | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifdef BUG_RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif
#ifdef BUG_RELAXED_WAIT
#define WAIT memory_order_relaxed
#else
#define WAIT memory_order_acquire
#endif

enum { LOCKED = 1, PENDING = 256 };

static atomic_uint word;
static int d;

static void lock(void) {
  unsigned free = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &free, LOCKED, memory_order_acquire, memory_order_relaxed))
    return;
  while (atomic_fetch_or_explicit(&word, PENDING, WAIT) & PENDING) {
    while (atomic_load_explicit(&word, memory_order_relaxed) & PENDING)
      ;
  }
  while (atomic_load_explicit(&word, WAIT) & LOCKED)
    ;
#ifdef BUG_CLEARS_ALL
  atomic_store_explicit(&word, LOCKED, memory_order_relaxed);
#else
  atomic_fetch_add_explicit(&word, (unsigned)LOCKED - PENDING, memory_order_relaxed);
#endif
}

static void unlock(void) {
#ifdef BUG_CLEARS_ALL
  atomic_store_explicit(&word, 0, UNLOCK);
#else
  atomic_fetch_sub_explicit(&word, LOCKED, UNLOCK);
#endif
}

static void *run(void *arg) {
  lock();
  d = d + 1; //! race
  unlock();
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(d == THREADS);
}
