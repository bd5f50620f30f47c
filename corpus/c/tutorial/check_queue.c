// about: the harness of the tutorial (docs/tutorial.md): producers and one consumer at a bounded queue
// from: by hand: the queue is right; BUG_RELAXED takes the order between an element and its slot's turn away
// run: | sc tso rc20 | verdict=verified
// run: -DPRODUCERS=1 -DTAKES=2 | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED -DPRODUCERS=1 | pso --races ignore | verdict=violation violation=assertion
// run: -DBUG_RELAXED | tso | verdict=verified
// run: -DPATIENT | rc20 | verdict=inconclusive
// run: -DPATIENT -DWAIT | rc20 | verdict=verified
#include <assert.h>
#include <pthread.h>
#include <raveler.h>

#include "queue.h"

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef TAKES
#define TAKES 1
#endif

static struct queue queue;

static void *producer(void *number) {
  queue_put(&queue, 10 + (int)(long)number);
  return 0;
}

static void *consumer(void *unused) {
  int value = 0;
#ifdef WAIT
  rv_wait_until(queue_take(&queue, &value));
#elif defined(PATIENT)
  int tries = 0;
  while (!queue_take(&queue, &value))
    tries++;
  rv_observe("tries", tries);
#else
  for (int i = 0; i < TAKES; i++)
    if (queue_take(&queue, &value))
      assert(value >= 10 && value < 10 + PRODUCERS);
#endif
  rv_observe("taken", value);
  return unused;
}

int main(void) {
  pthread_t threads[PRODUCERS + 1];
  for (long i = 0; i < PRODUCERS; i++)
    pthread_create(&threads[i], 0, producer, (void *)i);
  pthread_create(&threads[PRODUCERS], 0, consumer, 0);
  for (int i = 0; i <= PRODUCERS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
