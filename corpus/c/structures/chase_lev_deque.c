// about: the work-stealing deque of Chase and Lev with fences; the owner pushes two and takes one, a thief steals twice
// from: by hand; under ra the fences have no effect
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: -DBUG_NO_FENCE_TAKE | sc | verdict=verified
// run: -DBUG_NO_FENCE_TAKE | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_NO_FENCE_STEAL | sc tso pso | verdict=verified
// run: -DBUG_NO_FENCE_STEAL | rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_RELAXED_PUSH | sc tso | verdict=verified
// run: -DBUG_RELAXED_PUSH | pso rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_NO_CAS | sc tso pso rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 2

static atomic_int top, bottom, buffer[SLOTS];
static int taken, stolen[2];

static int claim(int t) {
#ifdef BUG_NO_CAS
  atomic_store_explicit(&top, t + 1, memory_order_seq_cst);
  return 1;
#else
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
#endif
}

static void push(int v) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&buffer[b % SLOTS], v, memory_order_relaxed);
#ifndef BUG_RELAXED_PUSH
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  int v = 0;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef BUG_NO_FENCE_TAKE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t <= b)
    v = atomic_load_explicit(&buffer[b % SLOTS], memory_order_relaxed);
  if (t == b && !claim(t))
    v = 0;
  if (t >= b)
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return v;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
#ifndef BUG_NO_FENCE_STEAL
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return 0;
  int v = atomic_load_explicit(&buffer[t % SLOTS], memory_order_relaxed);
  if (!claim(t))
    return 0;
  assert(v != 0); //! assertion(BUG_RELAXED_PUSH)
  return v;
}

static void *owner(void *arg) {
  (void)arg;
  push(1);
  push(2);
  taken = take();
  return NULL;
}

static void *thief(void *arg) {
  (void)arg;
  stolen[0] = steal();
  stolen[1] = steal();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen[3] = {0};
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, thief, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  seen[taken]++;
  seen[stolen[0]]++;
  seen[stolen[1]]++;
  assert(seen[1] <= 1 && seen[2] <= 1); //! assertion
}
