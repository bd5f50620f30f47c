// about: Treiber's stack: each thread pushes a node of its own, again if it failed, then pops one, again if it failed
// from: TRIES: Nidhugg, GenMC 0.11 (46, 68892: every failed try counts)
// run: -DN=2 | rc11 rc20 --equivalence co | verdict=verified
// run: -DN=2 -DTRIES=5 | sc rc11 rc20 | verdict=verified executions=46
// run: -DN=2 -DTRIES=5 | rc11 rc20 --equivalence co | verdict=verified executions=46
// long: -DN=3 | sc ra rc11 rc20 --equivalence co | verdict=verified
// long: -DN=3 -DTRIES=7 | sc | verdict=verified executions=68892
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

// With TRIES the loops count their rounds, so that no round is like another. 2N+1 rounds are always enough.
#ifdef TRIES
#define AGAIN int i = 0; i < TRIES; i++
#else
#define AGAIN ;;
#endif

struct node {
  struct node *_Atomic next;
};

static struct node *_Atomic top;

static void push(struct node *n) {
  for (AGAIN) {
    struct node *h = atomic_load_explicit(&top, memory_order_acquire);
    atomic_store_explicit(&n->next, h, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &h, n, memory_order_acq_rel, memory_order_acquire))
      return;
  }
}

static void pop(void) {
  for (AGAIN) {
    struct node *h = atomic_load_explicit(&top, memory_order_acquire);
    if (h == NULL)
      return;
    struct node *n = atomic_load_explicit(&h->next, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &h, n, memory_order_acq_rel, memory_order_acquire))
      return;
  }
}

static void *run(void *arg) {
  (void)arg;
  struct node *n = malloc(sizeof *n);
  push(n);
  pop();
  return n;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  void *nodes[N];
  for (int i = 0; i < N; i++)
    pthread_join(t[i], &nodes[i]);
  for (int i = 0; i < N; i++)
    free(nodes[i]);
}
