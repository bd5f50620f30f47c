// about: the queue lock of Mellor-Crummey and Scott
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_HANDOVER | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_FREE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_WAIT_NEXT | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
// run: -DBUG_LATE_FLAG | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#define N 2

#ifdef BUG_RELAXED_HANDOVER
#define HANDED memory_order_relaxed
#else
#define HANDED memory_order_release
#endif
#ifdef BUG_RELAXED_FREE
#define FREED memory_order_relaxed
#else
#define FREED memory_order_release
#endif

struct node {
  struct node *_Atomic next;
  atomic_int waiting;
};

static struct node nodes[N];
static struct node *_Atomic tail;
static int d;

static void lock(struct node *mine) {
  atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
#ifndef BUG_LATE_FLAG
  atomic_store_explicit(&mine->waiting, 1, memory_order_relaxed);
#endif
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
#ifdef BUG_LATE_FLAG
  atomic_store_explicit(&mine->waiting, 1, memory_order_relaxed);
#endif
  while (atomic_load_explicit(&mine->waiting, memory_order_acquire)) //! liveness
    ;
}

static void unlock(struct node *mine) {
  struct node *next = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (next == NULL) {
    struct node *last = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, FREED, memory_order_relaxed))
      return;
#ifdef BUG_NO_WAIT_NEXT
    return;
#endif
    while ((next = atomic_load_explicit(&mine->next, memory_order_acquire)) == NULL)
      ;
  }
  atomic_store_explicit(&next->waiting, 0, HANDED);
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  (void)me;
  lock(&nodes[me]);
  d = d + 1; //! race
  unlock(&nodes[me]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(d == N); //! assertion
}
