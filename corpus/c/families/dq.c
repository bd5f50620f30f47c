// about: the deque of Chase and Lev in a fixed array; one thief steals twice, another once; its races are ignored
// from: GenMC 0.11; 1924: also the GenMC-XMM thesis; rc20: rf = co
// run: | rc20 --races ignore | verdict=verified executions=1924
// run: | rc20 --races ignore --equivalence co | verdict=verified executions=1924
// run: | xmm --races ignore | verdict=verified executions=1924
// run: | xmm --races ignore --equivalence co | verdict=verified executions=1924
// run: | sc tso --equivalence co | verdict=verified executions=1373
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

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
  push(1);
  push(2);
  pop();
  push(3);
  return NULL;
}

static void *thief(void *arg) {
  int times = (int)(intptr_t)arg;
  for (int i = 0; i < times; i++)
    steal();
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, owner, NULL);
  pthread_create(&t[1], NULL, thief, (void *)(intptr_t)2);
  pthread_create(&t[2], NULL, thief, (void *)(intptr_t)1);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
