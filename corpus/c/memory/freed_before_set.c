// about: a node is freed and then read by the thread that found it; under pso its contents may not have come yet. That is a use
// about: after free whatever is read there. LOCKED: another lock is in play, so that sections are left unordered
// from: by hand: the read comes after the free in program order
// run: | sc tso pso sra ra --all | verdict=violation violation=use-after-free executions=1
// run: -DLOCKED | sc tso pso sra ra --all | verdict=violation violation=use-after-free executions=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node { atomic_int a; };
static _Atomic(struct node *) published;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *makes(void *arg) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  struct node *node = malloc(sizeof *node);
  atomic_store_explicit(&node->a, 2, memory_order_relaxed);
  atomic_store_explicit(&published, node, memory_order_relaxed);
  return arg;
}

static void *frees(void *arg) {
  struct node *node = atomic_load_explicit(&published, memory_order_relaxed);
  free(node);
  if (node != NULL) atomic_load_explicit(&node->a, memory_order_relaxed); //! use-after-free
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, makes, NULL);
  pthread_create(&t[1], NULL, frees, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
