// about: a ring for one producer and one consumer; three items go through two slots
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_TAIL | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_TAIL | pso | verdict=violation violation=assertion
// run: -DBUG_RELAXED_HEAD | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_FULL_OFF_BY_ONE | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_FULL_OFF_BY_ONE | rc11 rc20 | verdict=violation
// run: -DBUG_NO_ADVANCE | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 2
#define ITEMS 3

#ifdef BUG_RELAXED_TAIL
#define FILLED memory_order_relaxed
#else
#define FILLED memory_order_release
#endif
#ifdef BUG_RELAXED_HEAD
#define EMPTIED memory_order_relaxed
#else
#define EMPTIED memory_order_release
#endif
#ifdef BUG_FULL_OFF_BY_ONE
#define ROOM (SLOTS + 1)
#else
#define ROOM SLOTS
#endif

static atomic_uint head, tail;
static int ring[SLOTS];

static void put(int v) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  while (t - atomic_load_explicit(&head, memory_order_acquire) == ROOM) //! liveness
    ;
  ring[t % SLOTS] = v; //! race
  atomic_store_explicit(&tail, t + 1, FILLED);
}

static int take(void) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  while (atomic_load_explicit(&tail, memory_order_acquire) == h)
    ;
  int v = ring[h % SLOTS]; //! race
#ifndef BUG_NO_ADVANCE
  atomic_store_explicit(&head, h + 1, EMPTIED);
#endif
  return v;
}

static void *producer(void *arg) {
  (void)arg;
  for (int i = 1; i <= ITEMS; i++)
    put(i);
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  for (int i = 1; i <= ITEMS; i++) {
    int v = take();
#ifndef BUG_NO_ADVANCE
    assert(v == i); //! assertion
#else
    (void)v;
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
