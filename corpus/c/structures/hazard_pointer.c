// about: a reader protects what it reads by a hazard pointer; who replaces it frees it only if nobody protects it
// from: by hand; under ra the fences have no effect
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: -DBUG_NO_FENCE | sc | verdict=verified
// run: -DBUG_NO_FENCE | tso pso rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_RECHECK | sc tso pso rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_RELAXED_RELEASE | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_EARLY_RELEASE | sc tso pso rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG_RELAXED_RELEASE
#define RELEASED memory_order_relaxed
#else
#define RELEASED memory_order_release
#endif

static int *_Atomic shared, *_Atomic hazard;
static int *kept;

static int *new_int(int v) {
  int *p = malloc(sizeof *p);
  *p = v;
  return p;
}

static int *protect(void) {
  for (;;) {
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    atomic_store_explicit(&hazard, p, memory_order_relaxed);
#ifndef BUG_NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
#ifndef BUG_NO_RECHECK
    if (atomic_load_explicit(&shared, memory_order_acquire) != p)
      continue;
#endif
    return p;
  }
}

static void *reader(void *arg) {
  (void)arg;
  int *p = protect();
#ifdef BUG_EARLY_RELEASE
  atomic_store_explicit(&hazard, NULL, RELEASED);
#endif
  int v = *p; //! use-after-free
  assert(v == 1 || v == 2);
#ifndef BUG_EARLY_RELEASE
  atomic_store_explicit(&hazard, NULL, RELEASED);
#endif
  return NULL;
}

static void *replacer(void *arg) {
  (void)arg;
  int *old = atomic_exchange_explicit(&shared, new_int(2), memory_order_acq_rel);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&hazard, memory_order_acquire) == old)
    kept = old;
  else
    free(old); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t t, u;
  atomic_init(&shared, new_int(1));
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&u, NULL, replacer, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  free(kept);
  free(atomic_load(&shared));
}
