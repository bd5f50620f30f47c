// about: a reference count that is raised after it was looked at: the memory is freed twice, and also used after it was freed. Both
// about: kinds are found
// from: by hand: thread 2 counts down to 0 and frees between the look and the addition of thread 1, which then reads the memory,
// from: counts down to 0 once more and frees again. It was reported as freed twice alone. Raised by compare-exchange it is right
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=double-free
// run: -DBUG | sc tso pso sra ra rc11 rc20 --all | verdict=violation violation=use-after-free
// run: -DBUG | sc tso pso --engine interleaving --all | verdict=violation violation=use-after-free
// run: -DBUG | rc20 --equivalence co --all | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count = 1;
static int *object;

static int raise_count(void) {
  int n = atomic_load_explicit(&count, memory_order_relaxed);
#ifdef BUG
  if (n == 0)
    return 0;
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
#else
  do {
    if (n == 0)
      return 0;
  } while (!atomic_compare_exchange_weak_explicit(&count, &n, n + 1, memory_order_relaxed, memory_order_relaxed));
#endif
  return 1;
}

static void drop(void) {
  if (atomic_fetch_sub_explicit(&count, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(object); //! double-free use-after-free
  }
}

static void *user(void *arg) {
  if (raise_count()) {
    assert(*object == 1); //! use-after-free
    drop();
  }
  return arg;
}

static void *owner(void *arg) {
  drop();
  return arg;
}

int main(void) {
  pthread_t a, b;
  object = malloc(sizeof *object);
  *object = 1;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, owner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
