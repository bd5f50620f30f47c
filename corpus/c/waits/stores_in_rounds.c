// about: loops that wait but store something in every round: to a variable, or to a node of their own before each try
// from: by hand: others could see the stores, so a round is not futile, and any number of rounds is possible: there is no end to
// from: find. The report names the loop and the store; a bound makes it finite (docs/waits.md). Without the store it is a wait
// run: | sc tso pso ra rc11 rc20 | verdict=inconclusive
// run: | sc rc20 --unroll 2 | verdict=inconclusive
// run: -DNODE | sc tso pso ra rc11 rc20 | verdict=inconclusive
// run: -DFIXED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x, n;

struct node {
  _Atomic(struct node *) next;
};
static struct node nodes[2];
static _Atomic(struct node *) tail;

static void *waiter(void *arg) {
#ifdef NODE
  struct node *me = &nodes[(intptr_t)arg], *expected;
  do {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    expected = NULL;
  } while (!atomic_compare_exchange_strong(&tail, &expected, me));
  atomic_store(&tail, NULL);
#else
  (void)arg;
  while (!atomic_load(&x)) {
#ifndef FIXED
    atomic_store_explicit(&n, 1, memory_order_relaxed);
#endif
  }
#endif
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waiter, (void *)0);
#ifdef NODE
  pthread_create(&u, NULL, waiter, (void *)1);
  pthread_join(u, NULL);
#else
  (void)u;
  atomic_store(&x, 1);
#endif
  pthread_join(t, NULL);
  return 0;
}
