// about: a sorted list with a lock in each node; who deletes holds the locks of the node and of the one before it
// from: by hand: who holds a node's lock keeps the next node from being freed, and nobody waits for the lock of a node that is freed. Giving
// from: the lock back before the next one is taken lets another one free the node in between
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: | sc rc20 --locks ordered | verdict=verified
// run: -DBUG_LETS_GO | sc rc20 | verdict=violation
// run: -DBUG_LETS_GO | sc rc20 --locks ordered | verdict=violation
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t lock;
  struct node *next;
  int value;
};

static struct node *list;

static struct node *new_node(int value, struct node *next) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_init(&node->lock, NULL);
  node->next = next;
  node->value = value;
  return node;
}

static int delete(int value) {
  struct node *before = list;
  pthread_mutex_lock(&before->lock);
  for (;;) {
    struct node *node = before->next;
    if (node == NULL)
      break;
#ifdef BUG_LETS_GO
    pthread_mutex_unlock(&before->lock);
    pthread_mutex_lock(&node->lock);
    pthread_mutex_lock(&before->lock);
#else
    pthread_mutex_lock(&node->lock);
#endif
    if (node->value == value) {
      before->next = node->next;
      pthread_mutex_unlock(&node->lock);
      pthread_mutex_unlock(&before->lock);
      pthread_mutex_destroy(&node->lock);
      free(node);
      return 1;
    }
    pthread_mutex_unlock(&before->lock);
    before = node;
  }
  pthread_mutex_unlock(&before->lock);
  return 0;
}

static void *run(void *arg) {
#ifdef BUG_LETS_GO
  delete(1);
#else
  assert(delete(2));
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  list = new_node(0, new_node(1, new_node(2, NULL)));
  pthread_create(&t, NULL, run, NULL);
  int deleted = delete(1);
  pthread_join(t, NULL);
#ifndef BUG_LETS_GO
  assert(deleted && list->next == NULL);
#endif
  (void)deleted;
}
