/* A queue of fixed size for several producers and several consumers: the header of the tutorial.

   Each slot has a turn: 2k when it may be filled for the k-th time, 2k+1 when it may be emptied. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifdef BUG_RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct slot {
  atomic_uint turn;
  int value;
};

struct queue {
  struct slot slots[SIZE];
  atomic_uint head, tail;
};

static inline bool queue_put(struct queue *queue, int value) {
  unsigned tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
  for (;;) {
    struct slot *slot = &queue->slots[tail % SIZE];
    unsigned turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
    if (turn == tail / SIZE * 2) {
      if (atomic_compare_exchange_weak_explicit(&queue->tail, &tail, tail + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
        slot->value = value;
        atomic_store_explicit(&slot->turn, turn + 1, PUBLISH);
        return true;
      }
    } else {
      unsigned before = tail;
      tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
      if (tail == before)
        return false; /* full */
    }
  }
}

static inline bool queue_take(struct queue *queue, int *value) {
  unsigned head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  for (;;) {
    struct slot *slot = &queue->slots[head % SIZE];
    unsigned turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
    if (turn == head / SIZE * 2 + 1) {
      if (atomic_compare_exchange_weak_explicit(&queue->head, &head, head + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
        *value = slot->value;
        atomic_store_explicit(&slot->turn, turn + 1, PUBLISH);
        return true;
      }
    } else {
      unsigned before = head;
      head = atomic_load_explicit(&queue->head, memory_order_relaxed);
      if (head == before)
        return false; /* empty */
    }
  }
}

#endif
