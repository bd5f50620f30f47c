// about: the queue of Michael and Scott; two threads put in one value each, a third takes out twice
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_LINK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_STORE_LINK | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_NO_SWING | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBUG_FREE_DUMMY | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef BUG_RELAXED_LINK
#define LINKED memory_order_relaxed
#else
#define LINKED memory_order_release
#endif

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;
static struct node *retired[2];
static int got[2];

static int swing(struct node *_Atomic *p, struct node *from, struct node *to) {
  return atomic_compare_exchange_strong_explicit(p, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

static int link_after(struct node *t, struct node *n) {
#ifdef BUG_STORE_LINK
  atomic_store_explicit(&t->next, n, memory_order_release);
  return 1;
#else
  struct node *none = NULL;
  return atomic_compare_exchange_strong_explicit(&t->next, &none, n, LINKED, memory_order_relaxed); //! use-after-free race
#endif
}

static struct node *new_node(int value) {
  struct node *n = malloc(sizeof *n); //! race
  n->value = value; //! race
  atomic_init(&n->next, NULL); //! race
  return n;
}

static void put(int value) {
  struct node *n = new_node(value);
  for (;;) {
    struct node *t = atomic_load_explicit(&tail, memory_order_acquire); //! liveness
    struct node *next = atomic_load_explicit(&t->next, memory_order_acquire); //! use-after-free liveness race
    if (next == NULL) {
      if (link_after(t, n)) {
#ifndef BUG_NO_SWING
        swing(&tail, t, n);
#endif
        return;
      }
    } else {
#ifndef BUG_NO_SWING
      swing(&tail, t, next);
#endif
    }
  }
}

static int take(int i) {
  for (;;) {
    struct node *h = atomic_load_explicit(&head, memory_order_acquire);
    struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&h->next, memory_order_acquire); //! race
    if (next == NULL)
      return 0;
    if (h == t) {
      swing(&tail, t, next);
      continue;
    }
    int value = next->value; //! race
    if (swing(&head, h, next)) {
#ifdef BUG_FREE_DUMMY
      (void)i;
      free(h); //! use-after-free
#else
      retired[i] = h;
#endif
      return value;
    }
  }
}

static void *putter(void *arg) {
  put((int)(intptr_t)arg);
  return NULL;
}

static void *taker(void *arg) {
  (void)arg;
  got[0] = take(0);
  got[1] = take(1);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  struct node *dummy = new_node(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_create(&t[0], NULL, putter, (void *)(intptr_t)1);
  pthread_create(&t[1], NULL, putter, (void *)(intptr_t)2);
  pthread_create(&t[2], NULL, taker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  int sum = got[0] + got[1];
  for (int i = 0; i < 2; i++)
    free(retired[i]);
  struct node *n = atomic_load(&head);
  while (n) {
    struct node *next = atomic_load(&n->next);
    if (next)
      sum += next->value;
    free(n);
    n = next;
  }
  assert(sum == 1 + 2); //! assertion
}
