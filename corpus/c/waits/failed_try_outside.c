// about: a compare-exchange that fails outside of any loop leads to where the load before it would have led. It is an execution
// about: of its own all the same: only in retry loops are such tries left out
// from: by hand: the load sees 0 and the try 0 or 1, or the load sees 1
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *once(void *arg) {
  if (atomic_load(&x) == 0) {
    int e = 7;
    atomic_compare_exchange_strong(&x, &e, 8);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, once, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
}
