// about: a loop that counts its rounds and stores in each, in a function of its own: an execution without end is cut
// from: by hand: no read of y has to see the last store, so the loop may go on for ever, and its rounds differ; after 20,000
// from: events the loop is named and followed for some rounds
// run: | sc tso ra rc20 | verdict=inconclusive
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static int round_of(int i) {
  atomic_store_explicit(&x, i, memory_order_relaxed);
  return atomic_load_explicit(&y, memory_order_relaxed);
}

static void *counter(void *arg) {
  int i = 0;
  do {
    i++;
  } while (round_of(i) != 7);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, counter, 0);
  for (int j = 0; j < 8; j++) atomic_store(&y, j);
  pthread_join(t, 0);
  return 0;
}
