// about: Treiber's stack with nodes that are pushed again; a count beside the top tells an old top from a new one
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_ABA | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NODES 2

// the node's number (0: none) in the lower byte, the count above
static atomic_uint top;
static atomic_uint next[NODES + 1];
static unsigned taken_first, taken_second;

static unsigned changed(unsigned old, unsigned node) {
#ifdef BUG_ABA
  (void)old;
  return node;
#else
  return (((old >> 8) + 1) << 8) | node;
#endif
}

static void push(unsigned node) {
  unsigned h = atomic_load_explicit(&top, memory_order_relaxed);
  do
    atomic_store_explicit(&next[node], h & 0xff, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &h, changed(h, node), memory_order_release,
                                                  memory_order_relaxed));
}

static unsigned pop(void) {
  for (;;) {
    unsigned h = atomic_load_explicit(&top, memory_order_acquire);
    unsigned node = h & 0xff;
    if (node == 0)
      return 0;
    unsigned n = atomic_load_explicit(&next[node], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &h, changed(h, n), memory_order_acq_rel, memory_order_relaxed))
      return node;
  }
}

static void *first(void *arg) {
  (void)arg;
  taken_first = pop();
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  unsigned a = pop();
  taken_second = pop();
  if (a)
    push(a);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen[NODES + 1] = {0};
  push(2);
  push(1);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  seen[taken_first]++;
  seen[taken_second]++;
  for (int i = 0; i < NODES; i++)
    seen[pop()]++;
  assert(seen[1] == 1 && seen[2] == 1); //! assertion
}
