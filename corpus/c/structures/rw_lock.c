// about: a lock for one writer or several readers, made of one word
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_READ_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_WRITE_UNLOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_WRITER_IGNORES_READERS | sc tso pso ra rc11 rc20 | verdict=violation
// run: -DBUG_NO_READ_UNLOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELAXED_READ_UNLOCK
#define READ_UNLOCKED memory_order_relaxed
#else
#define READ_UNLOCKED memory_order_release
#endif
#ifdef BUG_RELAXED_WRITE_UNLOCK
#define WRITE_UNLOCKED memory_order_relaxed
#else
#define WRITE_UNLOCKED memory_order_release
#endif

// -1: a writer; otherwise the number of readers
static atomic_int l;
static int d1, d2;

static void read_lock(void) {
  for (;;) {
    int seen = atomic_load_explicit(&l, memory_order_relaxed);
    if (seen >= 0 &&
        atomic_compare_exchange_strong_explicit(&l, &seen, seen + 1, memory_order_acquire, memory_order_relaxed))
      return;
  }
}

static void read_unlock(void) {
#ifndef BUG_NO_READ_UNLOCK
  atomic_fetch_sub_explicit(&l, 1, READ_UNLOCKED);
#endif
}

static void write_lock(void) {
  int seen;
  do {
    seen = 0;
#ifdef BUG_WRITER_IGNORES_READERS
    seen = atomic_load_explicit(&l, memory_order_relaxed);
#endif
  } while (!atomic_compare_exchange_strong_explicit(&l, &seen, -1, memory_order_acquire, memory_order_relaxed)); //! liveness
}

static void write_unlock(void) { atomic_store_explicit(&l, 0, WRITE_UNLOCKED); }

static void *reader(void *arg) {
  (void)arg;
  read_lock();
  int a = d1; //! race
  int b = d2; //! race
  assert(a == b); //! assertion
  read_unlock();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  write_lock();
  d1 = 1; //! race
  d2 = 1; //! race
  write_unlock();
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  pthread_create(&t[2], NULL, writer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
