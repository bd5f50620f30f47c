// about: a reader looks at a structure while an updater publishes a new one and frees the old one after the reader has left
// from: by hand; under ra the fences have no effect
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_PUBLISH | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_READER_FENCE | sc | verdict=verified
// run: -DBUG_NO_READER_FENCE | tso pso rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_RELAXED_LEAVE | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_WAIT | sc tso pso rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG_RELAXED_PUBLISH
#define PUBLISHED memory_order_relaxed
#else
#define PUBLISHED memory_order_acq_rel
#endif
#ifdef BUG_RELAXED_LEAVE
#define LEFT memory_order_relaxed
#else
#define LEFT memory_order_release
#endif

struct pair {
  int a, b;
};

static struct pair *_Atomic current;
static atomic_int reading;

static struct pair *new_pair(int v) {
  struct pair *p = malloc(sizeof *p); //! race
  p->a = v; //! race
  p->b = v; //! race
  return p;
}

static void *reader(void *arg) {
  (void)arg;
  atomic_store_explicit(&reading, 1, memory_order_relaxed);
#ifndef BUG_NO_READER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  struct pair *p = atomic_load_explicit(&current, memory_order_acquire);
  int a = p->a; //! race use-after-free
  int b = p->b; //! race use-after-free
  assert(a == b);
  atomic_store_explicit(&reading, 0, LEFT);
  return NULL;
}

static void *updater(void *arg) {
  (void)arg;
  struct pair *old = atomic_exchange_explicit(&current, new_pair(2), PUBLISHED);
  atomic_thread_fence(memory_order_seq_cst);
#ifndef BUG_NO_WAIT
  while (atomic_load_explicit(&reading, memory_order_acquire))
    ;
#endif
  free(old); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t t, u;
  atomic_init(&current, new_pair(1));
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&u, NULL, updater, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  free(atomic_load(&current));
}
