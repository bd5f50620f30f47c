// about: a bounded queue for many producers and consumers with a sequence number in every cell
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_PUBLISH | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_RECYCLE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_LOOK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_CLAIM_BY_STORE | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_CLAIM_BY_STORE | rc11 rc20 | verdict=violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#define SLOTS 2

#ifdef BUG_RELAXED_PUBLISH
#define PUBLISHED memory_order_relaxed
#else
#define PUBLISHED memory_order_release
#endif
#ifdef BUG_RELAXED_RECYCLE
#define RECYCLED memory_order_relaxed
#else
#define RECYCLED memory_order_release
#endif
#ifdef BUG_RELAXED_LOOK
#define LOOKED memory_order_relaxed
#else
#define LOOKED memory_order_acquire
#endif

struct cell {
  atomic_int seq;
  int data;
};

static struct cell ring[SLOTS];
static atomic_int put_at, take_at;
static int accepted[2], got[2];

static int claim(atomic_int *at, int pos) {
#ifdef BUG_CLAIM_BY_STORE
  atomic_store_explicit(at, pos + 1, memory_order_relaxed);
  return 1;
#else
  return atomic_compare_exchange_strong_explicit(at, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed);
#endif
}

static int put(int v) {
  for (;;) {
    int pos = atomic_load_explicit(&put_at, memory_order_relaxed);
    struct cell *c = &ring[pos % SLOTS];
    int seq = atomic_load_explicit(&c->seq, LOOKED);
    if (seq < pos)
      return 0;
    if (seq == pos && claim(&put_at, pos)) {
      c->data = v; //! race
      atomic_store_explicit(&c->seq, pos + 1, PUBLISHED);
      return v;
    }
  }
}

static int take(void) {
  for (;;) {
    int pos = atomic_load_explicit(&take_at, memory_order_relaxed);
    struct cell *c = &ring[pos % SLOTS];
    int seq = atomic_load_explicit(&c->seq, LOOKED);
    if (seq < pos + 1)
      return 0;
    if (seq == pos + 1 && claim(&take_at, pos)) {
      int v = c->data; //! race
      atomic_store_explicit(&c->seq, pos + SLOTS, RECYCLED);
      return v;
    }
  }
}

static void *producer(void *arg) {
  int i = (int)(intptr_t)arg;
  accepted[i] = put(10 * (i + 1));
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  got[0] = take();
  got[1] = take();
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < SLOTS; i++)
    atomic_init(&ring[i].seq, i);
  put(1);
  pthread_create(&t[0], NULL, producer, (void *)(intptr_t)0);
  pthread_create(&t[1], NULL, producer, (void *)(intptr_t)1);
  pthread_create(&t[2], NULL, consumer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  int in = 1 + accepted[0] + accepted[1];
  int out = got[0] + got[1] + take() + take();
  assert(got[0] == 1);
  assert(in == out); //! assertion
}
