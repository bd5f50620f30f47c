// about: with --spurious-cas a weak compare-exchange may fail for no reason; a round of a retry loop in which it does changes
// about: nothing and is left out, but it is never a reason to wait: the next try may succeed. HELD: the lock is never given back,
// about: so the second thread really waits for ever
// from: by hand
// run: | sc tso pso ra rc11 rc20 --all --spurious-cas | verdict=verified
// run: | sc rc20 --all --spurious-cas --equivalence co | verdict=verified
// run: -DRETRY | sc tso pso ra rc11 rc20 --all --spurious-cas | verdict=verified
// run: -DTTAS | sc tso pso ra rc11 rc20 --all --spurious-cas | verdict=verified
// run: -DHELD | sc tso pso ra rc11 rc20 --all --spurious-cas | verdict=violation violation=liveness
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l, n;

static void *worker(void *arg) {
#ifdef RETRY
  int e = atomic_load(&n);
  while (!atomic_compare_exchange_weak(&n, &e, e + 1))
    ;
#else
  for (;;) {
#ifdef TTAS
    while (atomic_load(&l))
      ;
#endif
    int e = 0;
    if (atomic_compare_exchange_weak(&l, &e, 1)) //! liveness
      break;
  }
#ifndef HELD
  atomic_store(&l, 0);
#endif
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0); //! liveness
  pthread_join(b, 0); //! liveness
}
