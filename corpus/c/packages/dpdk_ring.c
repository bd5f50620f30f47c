// about: DPDK's ring. Its code for x86 has volatile accesses and compiler barriers; the one with the C11 model has atomics
// needs: dpdk/rte_ring.h
// needs: x86_64-linux-gnu/dpdk/rte_config.h
// from: by hand: the library is right, each variant for the order that it relies on; two producers are one too many for the
// from: functions that are for a single one. With the C11 model (DPDK 22.11) a producer waits for the one before it with a
// from: relaxed load, so that what that one wrote is not ordered before the consumer's read: a race under rc20
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 | tso | verdict=verified
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 -DRTE_USE_C11_MEM_MODEL | rc20 --volatile relaxed | verdict=verified
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 | rc20 --volatile relaxed | verdict=violation violation=race
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 -DTWO_PRODUCERS | tso | verdict=verified
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 -DRTE_USE_C11_MEM_MODEL -DTWO_PRODUCERS | tso --volatile relaxed | verdict=verified
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 -DRTE_USE_C11_MEM_MODEL -DTWO_PRODUCERS | rc20 --volatile relaxed | verdict=violation violation=race
// run: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -march=corei7 -DTWO_PRODUCERS -DSINGLE | tso | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <rte_ring.h>

static union {
  struct rte_ring ring;
  char bytes[sizeof(struct rte_ring) + 4 * sizeof(void *)];
} place;
static int items[2] = {1, 2};
static int put[2];

#ifdef SINGLE
#define ENQUEUE rte_ring_sp_enqueue
#else
#define ENQUEUE rte_ring_mp_enqueue
#endif

static void *produce(void *which) {
  int item = (int)(long)which;
  put[item] = ENQUEUE(&place.ring, &items[item]) == 0;
  return 0;
}

int main(void) {
  struct rte_ring *ring = &place.ring;
  ring->size = 4;
  ring->mask = 3;
  ring->capacity = 3;
  pthread_t threads[2];
  int producers = 1;
  pthread_create(&threads[0], 0, produce, (void *)0);
#ifdef TWO_PRODUCERS
  pthread_create(&threads[producers++], 0, produce, (void *)1);
#endif
  void *taken;
  int count = 0;
  if (rte_ring_sc_dequeue(ring, &taken) == 0) {
    assert(taken == &items[0] || taken == &items[1]);
    count++;
  }
  for (int i = 0; i < producers; i++)
    pthread_join(threads[i], 0);
  while (rte_ring_sc_dequeue(ring, &taken) == 0)
    count++;
  assert(count == put[0] + put[1]);
  return 0;
}
