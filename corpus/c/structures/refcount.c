// about: two owners of an object; the last one to let it go frees it
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_DROP | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_ACQUIRE | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_USE_AFTER_DROP | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_BOTH_FREE | sc tso pso ra rc11 rc20 | verdict=violation violation=double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef BUG_RELAXED_DROP
#define DROPPED memory_order_relaxed
#else
#define DROPPED memory_order_release
#endif

struct object {
  atomic_int owners;
  int used[2];
};

#ifdef BUG_BOTH_FREE
static atomic_int last;
#endif

static struct object *shared;

static void drop(struct object *o) {
#ifdef BUG_BOTH_FREE
  (void)DROPPED;
  int before = atomic_load_explicit(&o->owners, memory_order_acquire);
  atomic_store_explicit(&o->owners, before - 1, memory_order_release);
  // both wait for each other, so that neither touches the object after it is freed
  atomic_fetch_add(&last, 1);
  while (atomic_load(&last) != 2)
    ;
  free(o); //! double-free
#else
  if (atomic_fetch_sub_explicit(&o->owners, 1, DROPPED) != 1)
    return;
#ifndef BUG_NO_ACQUIRE
  atomic_thread_fence(memory_order_acquire);
#endif
  free(o); //! use-after-free
#endif
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  struct object *o = shared;
#ifdef BUG_USE_AFTER_DROP
  drop(o);
  o->used[me] = 1; //! use-after-free
#else
  o->used[me] = 1; //! use-after-free
  drop(o);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  atomic_init(&shared->owners, 2);
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
