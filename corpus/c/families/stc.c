// about: Treiber's stack without retry; one thread pushes twice and pops, the other pops and pushes
// from: GenMC 0.11; 183: also the GenMC-XMM thesis; rc11: rf = co
// from: xmm: as rc20; the GenMC-XMM thesis
// run: | rc11 rc20 | verdict=verified executions=183
// run: | rc11 rc20 --equivalence co | verdict=verified executions=183
// run: | sc tso ra --equivalence co | verdict=verified executions=37
// run: | xmm | verdict=verified executions=183
// run: | xmm --equivalence co | verdict=verified executions=183
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  atomic_int val;
  struct node *_Atomic next;
};

static struct node nodes[3];
static struct node *_Atomic top;

static void push(struct node *n, int v) {
  atomic_store_explicit(&n->val, v, memory_order_relaxed);
  struct node *h = atomic_load_explicit(&top, memory_order_relaxed);
  atomic_store_explicit(&n->next, h, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &h, n, memory_order_release, memory_order_relaxed);
}

static void pop(void) {
  struct node *h = atomic_load_explicit(&top, memory_order_relaxed);
  if (h == NULL)
    return;
  (void)atomic_load_explicit(&h->val, memory_order_relaxed);
  struct node *n = atomic_load_explicit(&h->next, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &h, n, memory_order_relaxed, memory_order_relaxed);
}

static void *first(void *arg) {
  (void)arg;
  push(&nodes[0], 1);
  push(&nodes[1], 2);
  pop();
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  pop();
  push(&nodes[2], 3);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
