// about: a thread whose free always fails never comes to the assertion behind it, whatever a lock elsewhere does
// from: by hand: under rc11 and rc20 the node is published relaxed, so nothing orders its initialisation before the free,
// from: which is a use after free in every execution that gets there; nor the allocation before the uses, which is a race
// run: | sc tso pso sra ra --all | verdict=violation violation=assertion
// run: | rc11 rc20 --all --locks ordered | verdict=violation kinds=race,uninitialised-read,use-after-free
// run: | rc11 rc20 --all | verdict=violation kinds=race,uninitialised-read,use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <raveler.h>
#include <assert.h>
#include <stdlib.h>

struct node { atomic_int a; int d; };

static _Atomic(struct node *) p4;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m0);
  return NULL;
}

static void *t2(void *unused) {
  (void)unused;
  int r0 = 0;
  struct node *q1 = NULL;
  do {
    q1 = atomic_load_explicit(&p4, memory_order_relaxed);
  } while (q1 == NULL);
  r0 = atomic_fetch_add_explicit(&q1->a, 1, memory_order_relaxed);
  free(q1);
  assert(r0 == 1);
  return NULL;
}

static void *t3(void *unused) {
  (void)unused;
  struct node *q0 = NULL;
  struct node *q1 = NULL;
  q0 = malloc(sizeof(struct node));
  atomic_store_explicit(&q0->a, 2, memory_order_relaxed);
  q1 = atomic_exchange_explicit(&p4, q0, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t h1, h2, h3;
  pthread_create(&h1, NULL, t1, NULL);
  pthread_create(&h2, NULL, t2, NULL);
  pthread_create(&h3, NULL, t3, NULL);
  pthread_join(h1, NULL);
  pthread_join(h2, NULL);
  pthread_join(h3, NULL);
  return 0;
}

