// about: userspace-rcu's queue with wait-free enqueue
// needs: urcu/wfcqueue.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DBUG | tso | verdict=violation violation=assertion
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

struct item {
  int value;
  struct cds_wfcq_node node;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2];

static void *enqueue(void *which) {
  struct item *item = &items[(long)which];
  item->value = 7;
  cds_wfcq_node_init(&item->node);
  cds_wfcq_enqueue(&head, &tail, &item->node);
  return 0;
}

static void *dequeue(void *unused) {
  struct cds_wfcq_node *node = __cds_wfcq_dequeue_blocking(&head, &tail);
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
  void *taken;
  int left = 0;
  cds_wfcq_init(&head, &tail);
  pthread_create(&threads[0], 0, enqueue, (void *)0);
  pthread_create(&threads[1], 0, enqueue, (void *)1);
  pthread_create(&threads[2], 0, dequeue, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_join(threads[2], &taken);
  while (__cds_wfcq_dequeue_blocking(&head, &tail))
    left++;
  assert(left == (taken ? 1 : 2));
  return 0;
}
