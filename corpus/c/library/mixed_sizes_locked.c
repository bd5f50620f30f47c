// about: an object that is written in parts and read as a whole, where nothing races with a write of a part: before there
// about: are other threads, under a mutex, behind a flag
// from: by hand: two threads take the mutex in either order; a flag is seen or not
// run: | sc tso ra rc11 rc20 | verdict=verified executions=2
// run: | sc tso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: | rc20 --equivalence co | verdict=verified executions=2
// run: -DFLAG | sc tso sra ra rc11 rc20 | verdict=verified executions=2
// run: -DBUG_TORN | sc tso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_UNSET | sc tso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DPARTLY | sc tso ra rc11 rc20 | verdict=violation violation=uninitialised-read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef union {
  _Atomic uint64_t whole;
  struct {
    _Atomic uint32_t low, high;
  } half;
  struct {
    uint32_t low, high;
  } plain;
} Pair;

static Pair *x;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
  (void)arg;
#ifdef PARTLY
  return NULL;
#endif
#ifndef FLAG
  pthread_mutex_lock(&mutex);
#endif
  x->plain.low++;
#ifdef BUG_TORN
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  atomic_fetch_add_explicit(&x->half.high, 2, memory_order_relaxed); //! uninitialised-read(BUG_UNSET)
#ifdef FLAG
  atomic_store_explicit(&flag, 1, memory_order_release);
#else
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
#ifdef PARTLY
  atomic_fetch_add_explicit(&x->whole, 1, memory_order_relaxed); //! uninitialised-read(PARTLY)
#elif defined(FLAG)
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(atomic_load_explicit(&x->whole, memory_order_relaxed) == 0x200000001);
#else
  pthread_mutex_lock(&mutex);
  uint64_t whole = atomic_load_explicit(&x->whole, memory_order_relaxed);
  assert(whole == 0 || whole == 0x200000001); //! assertion
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

int main(void) {
  x = malloc(sizeof *x);
  x->plain.low = 0;
#if !defined(BUG_UNSET) && !defined(PARTLY)
  atomic_init(&x->half.high, 0);
#endif
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&x->whole) == 0x200000001);
  free(x);
}
