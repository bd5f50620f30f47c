// about: ConcurrencyKit's ring: one producer and one consumer, or several of both, with a ring of two places
// needs: ck_ring.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DMANY | tso | verdict=verified
// run: -DWEAK | tso rc11 rc20 | verdict=verified
// run: -DWEAK -DMANY | rc20 | verdict=verified
// run: -DWEAK -DBUG_FENCE | rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <ck_md.h>
#ifdef WEAK // The fences of machines that reorder everything.
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#ifdef BUG_FENCE // And without the one between an item and its index.
#include <ck_pr.h>
#undef ck_pr_fence_store
#define ck_pr_fence_store() ((void)0)
#endif
#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[2];
static int items[3] = {1, 2, 3};
static int put[2], taken;

#ifdef MANY
#define ENQUEUE ck_ring_enqueue_mpmc
#define DEQUEUE ck_ring_dequeue_mpmc
#else
#define ENQUEUE ck_ring_enqueue_spsc
#define DEQUEUE ck_ring_dequeue_spsc
#endif

static void *produce(void *which) {
  int item = (int)(long)which;
  put[item] = ENQUEUE(&ring, buffer, &items[item]);
  return 0;
}

static void *consume(void *unused) {
  int *item;
  if (DEQUEUE(&ring, buffer, &item)) {
    assert(item == &items[0] || item == &items[1]);
    taken = *item;
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  int count = 0;
  ck_ring_init(&ring, 2);
  pthread_create(&threads[count++], 0, produce, (void *)0);
  pthread_create(&threads[count++], 0, consume, (void *)0);
#ifdef MANY
  pthread_create(&threads[count++], 0, produce, (void *)1);
#endif
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  assert((int)ck_ring_size(&ring) == put[0] + put[1] - (taken ? 1 : 0));
  return 0;
}
