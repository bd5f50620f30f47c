// about: a reader says that it is active before it reads a pointer; who replaced the object waits until nobody is active
// from: by hand: store of "active" and load of the pointer against store of the pointer and load of "active" is store buffering: each
// from: side needs a full fence. Looking before the pointer is replaced is wrong under every model
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: -DBUG_NO_FENCE | sc | verdict=verified
// run: -DBUG_NO_FENCE | tso pso rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_LOOKS_EARLY | sc tso pso rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  int value;
};

static struct object *_Atomic current;
static atomic_int active;

static void *reader(void *arg) {
  atomic_store_explicit(&active, 1, memory_order_relaxed);
#ifndef BUG_NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  struct object *object = atomic_load_explicit(&current, memory_order_acquire);
  assert(object->value != 0); //! use-after-free
  atomic_store_explicit(&active, 0, memory_order_release);
  return arg;
}

static void wait_for_readers(void) {
  while (atomic_load_explicit(&active, memory_order_acquire))
    ;
}

static void *writer(void *arg) {
  struct object *old = atomic_load_explicit(&current, memory_order_relaxed);
  struct object *new = malloc(sizeof *new);
  new->value = 2;
#ifdef BUG_LOOKS_EARLY
  wait_for_readers();
#endif
  atomic_store_explicit(&current, new, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
#ifndef BUG_LOOKS_EARLY
  wait_for_readers();
#endif
  free(old); //! use-after-free
  return arg;
}

int main(void) {
  pthread_t r, w;
  struct object *object = malloc(sizeof *object);
  object->value = 1;
  atomic_store(&current, object);
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  free(atomic_load(&current));
}
