// about: a function with a loop is called twice in a row and comes to the head of its loop in the same state: two calls are not
// about: one round, so nothing waits
// from: by hand: the two reads see 0 0, 0 1 or 1 1
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=3
// run: | sc rc20 --all --equivalence co | verdict=verified executions=3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int look(void) {
  int r;
  do {
    r = atomic_load(&x);
  } while (r == 7);
  return r;
}

static void *reader(void *arg) {
  look();
  look();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
}
