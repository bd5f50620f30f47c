// about: a sequence lock around two values; the reader tries again while a write is going on
// from: by hand; under sc and ra the fences are not needed
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_NO_WRITER_FENCE | sc tso ra | verdict=verified
// run: -DBUG_NO_WRITER_FENCE | pso rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_NO_READER_FENCE | sc tso pso ra | verdict=verified
// run: -DBUG_NO_READER_FENCE | rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_RELAXED_END | sc tso ra | verdict=verified
// run: -DBUG_RELAXED_END | pso rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_NO_RECHECK | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELAXED_END
#define END memory_order_relaxed
#else
#define END memory_order_release
#endif

static atomic_int seq, d1, d2;

static void write_both(int v) {
  int s = atomic_load_explicit(&seq, memory_order_relaxed);
  atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
#ifndef BUG_NO_WRITER_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&d1, v, memory_order_relaxed);
  atomic_store_explicit(&d2, v, memory_order_relaxed);
  atomic_store_explicit(&seq, s + 2, END);
}

static void read_both(int *a, int *b) {
  for (;;) {
    int s = atomic_load_explicit(&seq, memory_order_acquire);
    if (s & 1)
      continue;
    *a = atomic_load_explicit(&d1, memory_order_relaxed);
    *b = atomic_load_explicit(&d2, memory_order_relaxed);
#ifdef BUG_NO_RECHECK
    return;
#endif
#ifndef BUG_NO_READER_FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    if (atomic_load_explicit(&seq, memory_order_relaxed) == s)
      return;
  }
}

static void *writer(void *arg) {
  (void)arg;
  write_both(1);
  return NULL;
}

static void *reader(void *arg) {
  (void)arg;
  int a, b;
  read_both(&a, &b);
  assert(a == b); //! assertion
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, writer, NULL);
  pthread_create(&u, NULL, reader, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
