// about: a loop whose failed compare-exchange sees, round after round, what its failed compare-exchange saw before. Nobody
// about: sets x, so the thread waits for ever, and no other exploration shows that: the failed try must not be dropped for an
// about: earlier read that saw the same write (docs/waits.md, "Short cuts"). TRYLOCK: the same as a lock that is tried until a
// about: flag tells the thread to stop. STOPPED: main sets x, so every round ends. TAKEN: y becomes 7, so the try succeeds at
// about: last and only x is missing. LOAD: the earlier read is a load
// from: by hand: without a writer of x the loop has no exit; with one a fair memory shows it
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: | sc tso pso ra rc11 rc20 --all --equivalence co | verdict=violation violation=liveness executions=0
// run: -DSTOPPED | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DLOAD | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DLOAD -DSTOPPED | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DTAKEN | sc ra rc20 --all | verdict=violation violation=liveness executions=0
// run: -DTAKEN -DSTOPPED | sc ra rc20 --all | verdict=verified
// run: -DTRYLOCK | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DTRYLOCK | rc20 --all --equivalence co | verdict=violation violation=liveness executions=0
// run: -DTRYLOCK -DSTOPPED | sc tso pso ra rc11 rc20 --all | verdict=verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y = 2, z;

static void *waiter(void *arg) {
#ifdef TRYLOCK
  int e = 0;
  while (!atomic_compare_exchange_strong(&y, &e, 1)) { //! liveness
    if (atomic_load(&x)) //! liveness
      break;
    e = 0;
  }
#else
  int e = 0;
#ifdef LOAD
  e = atomic_load(&y);
#endif
  while (!atomic_load(&x)) { //! liveness
    e = 7;
    atomic_compare_exchange_strong(&y, &e, 8); //! liveness
    atomic_load(&z); //! liveness
  }
#endif
  return (void *)(long)e;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
#ifdef TAKEN
  atomic_store(&y, 7);
#endif
#ifdef STOPPED
  atomic_store(&x, 1);
#endif
  pthread_join(t, 0); //! liveness
  return 0;
}
