// about: Treiber's stack; each thread pushes a node and pops one; nodes are freed after the threads have ended
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_PUSH | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_POP | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_RETRY | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_FREE_ON_POP | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

#ifdef BUG_RELAXED_PUSH
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif
#ifdef BUG_RELAXED_POP
#define LOOKED memory_order_relaxed
#else
#define LOOKED memory_order_acquire
#endif

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic top;

static void push(struct node *n) {
  struct node *h = atomic_load_explicit(&top, memory_order_relaxed);
  do
    n->next = h; //! race
  while (!atomic_compare_exchange_strong_explicit(&top, &h, n, PUSHED, memory_order_relaxed)
#ifdef BUG_NO_RETRY
         && 0
#endif
  );
}

static struct node *pop(void) {
  for (;;) {
    struct node *h = atomic_load_explicit(&top, LOOKED);
    if (h == NULL)
      return NULL;
    struct node *next = h->next; //! race use-after-free
    if (atomic_compare_exchange_strong_explicit(&top, &h, next, LOOKED, memory_order_relaxed))
      return h;
  }
}

static void *run(void *arg) {
  struct node *n = malloc(sizeof *n); //! race
  n->value = (int)(intptr_t)arg + 1; //! race
  push(n);
  n = pop();
  if (n) {
    int value = n->value; //! race
    assert(value == 1 || value == 2);
  }
#ifdef BUG_FREE_ON_POP
  free(n); //! use-after-free
  return NULL;
#else
  return n;
#endif
}

int main(void) {
  pthread_t t[N];
  void *popped[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], &popped[i]);
#ifndef BUG_FREE_ON_POP
  assert(popped[0] != NULL && popped[1] != NULL); //! assertion
  assert(popped[0] != popped[1]);
  for (int i = 0; i < N; i++)
    free(popped[i]);
#endif
}
