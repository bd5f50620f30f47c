// about: the deque of Chase and Lev in a fixed array; the owner pushes and pops, each thief steals once; its races are ignored
// from: GenMC 0.11; 3639: also the GenMC-XMM thesis, 65: also the test suite of GenMC; two thieves: rf = co
// run: -DTHIEVES=1 | rc20 --races ignore --equivalence co | verdict=verified executions=65
// run: -DTHIEVES=2 | rc20 --races ignore | verdict=verified executions=3639
// run: -DTHIEVES=2 | rc20 --races ignore --equivalence co | verdict=verified executions=3639
// run: -DTHIEVES=1 | xmm --races ignore --equivalence co | verdict=verified executions=67
// long: -DTHIEVES=2 | xmm --races ignore --equivalence co | verdict=verified executions=3815
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef THIEVES
#define THIEVES 2
#endif

#define SLOTS 10

static _Atomic uint64_t top, bottom;
static int buffer[SLOTS];

static void push(int v) {
  uint64_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  (void)atomic_load_explicit(&top, memory_order_acquire);
  buffer[b % SLOTS] = v;
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static void pop(void) {
  uint64_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&bottom, b - 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  uint64_t t = atomic_load_explicit(&top, memory_order_relaxed);
  int64_t n = (int64_t)(b - t);
  if (n <= 0) {
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    return;
  }
  int v = buffer[(b - 1) % SLOTS];
  (void)v;
  if (n > 1)
    return;
  atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_acq_rel, memory_order_acquire);
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
}

static void steal(void) {
  uint64_t t = atomic_load_explicit(&top, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  uint64_t b = atomic_load_explicit(&bottom, memory_order_acquire);
  if ((int64_t)(b - t) <= 0)
    return;
  int v = buffer[t % SLOTS];
  (void)v;
  atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_release, memory_order_relaxed);
}

static void *owner(void *arg) {
  (void)arg;
  for (int i = 1; i <= 5; i++)
    push(i);
  for (int i = 0; i < 3; i++)
    pop();
  push(6);
  push(7);
  return NULL;
}

static void *thief(void *arg) {
  (void)arg;
  steal();
  return NULL;
}

int main(void) {
  pthread_t t[THIEVES + 1];
  pthread_create(&t[0], NULL, owner, NULL);
  for (int i = 1; i <= THIEVES; i++)
    pthread_create(&t[i], NULL, thief, (void *)(intptr_t)i);
  for (int i = 0; i <= THIEVES; i++)
    pthread_join(t[i], NULL);
}
