// about: the deque of Chase and Lev with plain cells: the owner pushes and pops at the bottom, a thief steals at the top
// from: by hand: rc11 and rc20 differ. When the owner pops it stores the bottom relaxed; a thief that reads this store synchronises with
// from: the push before it only if a release sequence goes on with later stores of the same thread, as in C11; in C++20 it does not,
// from: and the cell races. With a release store there it is right under both. Without the fences pop and steal may both miss
// run: | sc tso pso rc11 | verdict=verified
// run: | rc20 | verdict=violation violation=race
// run: -DRELEASE | sc tso pso rc11 rc20 | verdict=verified
// run: -DRELEASE -DBUG_NO_FENCE | sc | verdict=verified
// run: -DRELEASE -DBUG_NO_FENCE | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DRELEASE -DBUG_RELAXED_PUSH | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELEASE
#define POP memory_order_release
#else
#define POP memory_order_relaxed
#endif
#ifdef BUG_RELAXED_PUSH
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

static int cells[2];
static atomic_int top, bottom, taken[3];

static void fence(void) {
#ifndef BUG_NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void push(int v) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  cells[b] = v; //! race
  atomic_store_explicit(&bottom, b + 1, PUSH);
}

static int pop(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, POP);
  fence();
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, POP);
    return 0;
  }
  int v = cells[b];
  if (t == b) {
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
      v = 0;
    atomic_store_explicit(&bottom, b + 1, POP);
  }
  return v;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  fence();
  if (t >= atomic_load_explicit(&bottom, memory_order_acquire))
    return 0;
  int v = cells[t]; //! race
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : 0;
}

static void take(int v) {
  if (v != 0)
    assert(atomic_fetch_add_explicit(&taken[v], 1, memory_order_relaxed) == 0); //! assertion
}

static void *owner(void *arg) {
  push(1);
  push(2);
  take(pop());
  take(pop());
  return arg;
}

static void *thief(void *arg) {
  take(steal());
  take(steal());
  return arg;
}

int main(void) {
  pthread_t o, t;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&t, NULL, thief, NULL);
  pthread_join(o, NULL);
  pthread_join(t, NULL);
}
