// about: a loop whose second compare-exchange writes what is there already: that is no effect, so the loop waits; and its failed
// about: try saw what the thread itself wrote back, which no earlier read can see: it must not be dropped. Nobody else writes x,
// about: so the thread goes round for ever. LEFT: another thread ends it. KEPT: a fetch_or that changes nothing
// from: by hand
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: | sc rc20 --all --equivalence co | verdict=violation violation=liveness executions=0
// run: -DLEFT | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DKEPT | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DKEPT -DLEFT | sc tso pso ra rc11 rc20 --all | verdict=verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;

static void *waiter(void *arg) {
  int r = 0;
  while (!atomic_load(&stop)) { //! liveness
    r = 2;
    atomic_compare_exchange_strong(&x, &r, 2); //! liveness
#ifdef KEPT
    atomic_fetch_or(&x, r); //! liveness
#else
    atomic_compare_exchange_strong(&x, &r, 1); //! liveness
#endif
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
#ifdef LEFT
  atomic_store(&stop, 1);
#endif
  pthread_join(t, 0); //! liveness
}
