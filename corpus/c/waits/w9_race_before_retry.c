// about: a retry loop reads d only if the load before it saw 0, and leaves only if it sees 1. A failed try leads to where the load
// about: would have led, had it seen 1; but then d would not have been read, and the race on d shows only if the thread goes on
// about: after the failed try.
// from: by hand: the read of d and y = 1 are ordered only by the program, so d = 1 after y is seen races with it
// run: | rc11 rc20 --all | verdict=violation violation=race
// run: | sc ra --all | verdict=verified
// run: | rc20 --all --equivalence co | verdict=violation violation=race
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed

static atomic_int x, y;
static int d;

static void *retrier(void *arg) {
  int e = atomic_load_explicit(&x, RLX);
  for (;;) {
    if (e == 0)
      d; //! race
    int wanted = e == 1 ? 1 : 5;
    if (atomic_compare_exchange_strong_explicit(&x, &wanted, 9, RLX, RLX))
      break;
    e = wanted;
  }
  atomic_store_explicit(&y, 1, RLX);
  return arg;
}

static void *writer(void *arg) {
  if (atomic_load_explicit(&y, RLX))
    d = 1; //! race
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, retrier, 0);
  pthread_create(&b, 0, writer, 0);
  atomic_store_explicit(&x, 1, RLX);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
