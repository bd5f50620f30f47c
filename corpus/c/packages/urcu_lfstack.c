// about: userspace-rcu's lock-free stack, with one thread that pops
// needs: urcu/lfstack.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DBUG | tso | verdict=violation violation=assertion
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

struct item {
  int value;
  struct cds_lfs_node node;
};

static struct cds_lfs_stack stack;
static struct item items[2];

static void *push(void *which) {
  struct item *item = &items[(long)which];
  item->value = 7;
  cds_lfs_node_init(&item->node);
  cds_lfs_push(&stack, &item->node);
  return 0;
}

static void *pop(void *unused) {
  struct cds_lfs_node *node = __cds_lfs_pop(&stack);
  if (node) {
    struct item *item = caa_container_of(node, struct item, node);
#ifdef BUG
    assert(item->value == 8); //! assertion(BUG)
#else
    assert(item->value == 7);
#endif
  }
  return node;
}

int main(void) {
  pthread_t threads[3];
  void *popped;
  int left = 0;
  cds_lfs_init(&stack);
  pthread_create(&threads[0], 0, push, (void *)0);
  pthread_create(&threads[1], 0, push, (void *)1);
  pthread_create(&threads[2], 0, pop, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_join(threads[2], &popped);
  while (__cds_lfs_pop(&stack))
    left++;
  assert(left == (popped ? 1 : 2));
  return 0;
}
