// about: rounds of waiting loops that begin with a store which no other thread sees
// from: by hand: the node belongs to its thread until the exchange or compare-exchange behind the store gives it away. With failed tries left
// out the lock has the executions of one that waits by a load alone, and the push those of a push whose node is the thread's own memory
// run: -DTRY | sc tso ra rc11 rc20 --reductions all | verdict=verified executions=2
// run: -DTRY | sc rc20 --reductions none | verdict=inconclusive
// run: -DTRY | pso --reductions all | verdict=inconclusive
// run: -DPUSH | sc tso ra rc11 rc20 --reductions all | verdict=verified executions=2
// run: -DPUSH | sc tso ra rc11 rc20 --reductions none | verdict=verified executions=4
// run: -DNEVER | sc tso ra rc11 rc20 --reductions all | verdict=violation violation=liveness
// run: -DOWN | sc tso ra rc11 rc20 --reductions all | verdict=violation violation=liveness
// run: -DNEVER | rc20 --reductions all --check-liveness off | verdict=verified executions=0 blocked=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};

static struct node nodes[2];
static _Atomic(struct node *) top;
static int d;

#ifdef TRY
// A lock of a queue that is only tried: who has it put a node of its own there.
static int try_acquire(struct node *me) {
  struct node *none = NULL;
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(&top, &none, me, memory_order_acq_rel, memory_order_relaxed);
}

static void *thread(void *arg) {
  struct node *me = arg;
  while (!try_acquire(me))
    ;
  d++;
  atomic_store_explicit(&top, NULL, memory_order_release);
  return NULL;
}
#elif defined PUSH
static void *thread(void *arg) {
  struct node *me = arg, *head = atomic_load_explicit(&top, memory_order_relaxed);
  do
    atomic_store_explicit(&me->next, head, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &head, me, memory_order_release, memory_order_relaxed));
  return NULL;
}
#elif defined OWN
// What each try sees is what it stored itself, for ever: no earlier read leads past that.
static void *thread(void *arg) {
  struct node mine, *own = NULL, *me = arg;
  int done = 0, seen = 0;
  own = &mine;
  for (;;) {
    // So that the second round ends in another state than it began.
    atomic_store_explicit(&own->value, seen, memory_order_relaxed);
    atomic_store_explicit(&me->value, 2, memory_order_relaxed);
    seen = 0;
    done = atomic_compare_exchange_strong_explicit(&me->value, &seen, 1, memory_order_relaxed, memory_order_relaxed);
  }
  return done ? arg : NULL;
}
#else
// The store is the same in each round, and nothing else ever happens.
static void *thread(void *arg) {
  struct node *me = arg;
  do
    atomic_store_explicit(&me->value, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&top, memory_order_acquire));
  return NULL;
}
#endif

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, thread, &nodes[0]);
#if !defined NEVER && !defined OWN
  pthread_create(&two, NULL, thread, &nodes[1]);
  pthread_join(two, NULL);
#endif
  pthread_join(one, NULL);
#ifdef TRY
  assert(d == 2);
#elif defined PUSH
  struct node *last = atomic_load(&atomic_load(&top)->next);
  assert(last && !atomic_load(&last->next));
#endif
}
