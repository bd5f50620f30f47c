// about: a stack whose elements are retired: what a hazard pointer protects is not freed, and is freed behind it
// from: by hand
// run: | sc tso rc11 rc20 | verdict=verified leaks=0
// run: -DBUG_UNPROTECTED | sc tso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_CLEARED | sc tso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;

static int pop(void) {
  __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
  struct node *node;
  for (;;) {
#ifdef BUG_UNPROTECTED
    node = atomic_load_explicit(&top, memory_order_acquire);
#else
    node = __VERIFIER_hp_protect(hazard, &top);
#endif
    if (!node) {
      __VERIFIER_hp_free(hazard);
      return 0;
    }
#ifdef BUG_CLEARED
    __VERIFIER_hp_clear(hazard);
#endif
    struct node *next = node->next; //! use-after-free
    struct node *expected = node;
    if (atomic_compare_exchange_strong_explicit(&top, &expected, next, memory_order_acq_rel, memory_order_relaxed))
      break;
  }
  int value = node->value;
  __VERIFIER_hp_free(hazard);
  __VERIFIER_hp_retire(node); //! use-after-free
  return value;
}

static void *popper(void *unused) {
  int value = pop();
  assert(value == 1 || value == 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 1; i <= 2; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = top;
    top = node;
  }
  pthread_create(&thread, 0, popper, 0);
  int value = pop();
  assert(value == 1 || value == 2);
  pthread_join(thread, 0);
  assert(!top);
  return 0;
}
