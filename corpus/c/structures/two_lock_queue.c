// about: the queue of Michael and Scott with two locks: one for who puts, one for who takes; the link between them is atomic, since both
// about: may meet at it when the queue is empty
// from: by hand: the node is published by its link alone. pso orders a node's fields before a release store only; tso always. Whoever
// from: looks at a node after giving back the lock may find it freed by another one: here it freed it itself
// run: | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: | sc rc20 --locks ordered | verdict=verified
// run: -DBUG_RELAXED | sc tso sra ra | verdict=verified
// run: -DBUG_RELAXED | rc11 rc20 xmm | verdict=violation
// run: -DBUG_LATE_READ | sc rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG_RELAXED
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
  struct node *_Atomic next;
  int value;
};

static struct node *head, *tail;
static pthread_mutex_t takes = PTHREAD_MUTEX_INITIALIZER, puts_ = PTHREAD_MUTEX_INITIALIZER;

static struct node *new_node(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
  return node;
}

static void put(int value) {
  struct node *node = new_node(value);
  pthread_mutex_lock(&puts_);
  atomic_store_explicit(&tail->next, node, LINK);
  tail = node;
  pthread_mutex_unlock(&puts_);
}

static int take(void) {
  int value = 0;
  pthread_mutex_lock(&takes);
  struct node *old = head;
  struct node *node = atomic_load_explicit(&old->next, memory_order_acquire);
  if (node != NULL) {
    value = node->value;
    head = node;
  }
  pthread_mutex_unlock(&takes);
  if (node != NULL) {
    free(old); //! use-after-free
#ifdef BUG_LATE_READ
    value += old->value; //! use-after-free
#endif
  }
  return value;
}

static void *producer(void *arg) {
  put(1);
  put(2);
  return arg;
}

static void *consumer(void *arg) {
  int first = take(), second = take();
  assert(first != 2);
  assert(second == 0 || second == first + 1);
  return arg;
}

int main(void) {
  pthread_t p, c;
  head = tail = new_node(0);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  while (take() != 0)
    ;
  free(head);
}
