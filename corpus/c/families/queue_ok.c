// about: threads that fill a queue of SIZE elements and threads that empty it, taking turns by two flags; one locked section each
// from: SIZE=10: the lock-aware paper, GenMC 0.11; others: ordered (ENQ+DEQ)!, GenMC 0.11
// run: -DENQ=1 -DDEQ=1 -DSIZE=10 | rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DENQ=1 -DDEQ=1 -DSIZE=10 | rc11 rc20 --locks aware | verdict=verified executions=2
// run: -DENQ=1 -DDEQ=1 -DSIZE=4 | ra --locks ordered | verdict=verified executions=2
// run: -DENQ=2 -DDEQ=2 -DSIZE=4 | ra --locks ordered | verdict=verified executions=24
// run: -DENQ=2 -DDEQ=2 -DSIZE=4 | ra --locks aware | verdict=verified executions=22
// run: -DENQ=3 -DDEQ=3 -DSIZE=4 | ra --locks ordered | verdict=verified executions=720
// run: -DENQ=3 -DDEQ=3 -DSIZE=4 | ra --locks aware | verdict=verified executions=543
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef ENQ
#define ENQ 1
#endif

#ifndef DEQ
#define DEQ 1
#endif

#ifndef SIZE
#define SIZE 4
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], stored[SIZE], head, tail, amount;
static int enqueue_flag = 1, dequeue_flag;

static void enqueue(int value) {
  items[tail] = value;
  tail = tail == SIZE - 1 ? 0 : tail + 1;
  amount++;
}

static int dequeue(void) {
  int value = items[head];
  head = head == SIZE - 1 ? 0 : head + 1;
  amount--;
  return value;
}

static void *fill(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  if (enqueue_flag) {
    for (int i = 0; i < SIZE; i++) {
      enqueue(i + 1);
      stored[i] = i + 1;
    }
    enqueue_flag = 0;
    dequeue_flag = 1;
  }
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *drain(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  if (dequeue_flag) {
    for (int i = 0; i < SIZE; i++)
      assert(dequeue() == stored[i]);
    dequeue_flag = 0;
    enqueue_flag = 1;
  }
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[ENQ + DEQ];
  for (int i = 0; i < ENQ; i++)
    pthread_create(&t[i], NULL, fill, (void *)(intptr_t)i);
  for (int i = 0; i < DEQ; i++)
    pthread_create(&t[ENQ + i], NULL, drain, (void *)(intptr_t)i);
  for (int i = 0; i < ENQ + DEQ; i++)
    pthread_join(t[i], NULL);
}
