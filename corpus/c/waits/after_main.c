// about: return from main ends the process: a thread that waits then is no deadlock and no endless wait, and the execution is
// about: complete. Threads that are not joined are still followed, and their mistakes count. WAY is how the process ends: 0 main
// about: returns, 1 exit in main, 2 exit in the other thread's helper, 3 pthread_exit in main, which ends only its thread. WHAT is
// about: what the thread does: 0 waits for a mutex that main keeps, 1 polls a flag, 2 waits for a signal, 3 waits for a mutex
// about: twice, 4 polls under a mutex, 5 fails an assertion, 6 waits for a thread that waits, 7 waits at a semaphore.
// about: SET: main sets the flag first
// from: by hand: contract of what an execution is
// run: -DWAY=0 -DWHAT=0 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=2
// run: -DWAY=0 -DWHAT=0 | sc rc20 --all --locks ordered | verdict=verified executions=2
// run: -DWAY=1 -DWHAT=0 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=2
// run: -DWAY=3 -DWHAT=0 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=deadlock
// run: -DWAY=0 -DWHAT=1 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=0 -DWHAT=1 | sc tso pso ra rc11 rc20 --all --equivalence co | verdict=verified executions=1
// run: -DWAY=1 -DWHAT=1 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=2 -DWHAT=1 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=3 -DWHAT=1 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness executions=0
// run: -DWAY=0 -DWHAT=1 -DSET | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=3 -DWHAT=1 -DSET | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=0 -DWHAT=2 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=3 -DWHAT=2 | sc rc20 --all | verdict=violation violation=deadlock
// run: -DWAY=0 -DWHAT=3 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=0 -DWHAT=3 | sc rc20 --all --locks ordered | verdict=verified
// run: -DWAY=3 -DWHAT=3 | sc rc20 --all | verdict=violation violation=deadlock
// run: -DWAY=0 -DWHAT=4 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=0 -DWHAT=4 | sc rc20 --all --locks ordered | verdict=verified
// run: -DWAY=3 -DWHAT=4 | sc rc20 --all | verdict=violation violation=liveness
// run: -DWAY=0 -DWHAT=5 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion
// run: -DWAY=1 -DWHAT=5 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion
// run: -DWAY=0 -DWHAT=6 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=3 -DWHAT=6 | sc rc20 --all | verdict=violation violation=liveness
// run: -DWAY=0 -DWHAT=7 | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DWAY=3 -DWHAT=7 | sc rc20 --all | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static atomic_int flag;
static int x;

static void *spinner(void *arg) {
  while (!atomic_load(&flag)) //! liveness
    ;
  return arg;
}

static void *waiter(void *arg) {
#if WHAT == 0
  pthread_mutex_lock(&m); //! deadlock
  pthread_mutex_unlock(&m);
#elif WHAT == 1
  spinner(arg);
#elif WHAT == 2
  pthread_mutex_lock(&m);
  while (!x)
    pthread_cond_wait(&c, &m); //! deadlock
  pthread_mutex_unlock(&m);
#elif WHAT == 3
  pthread_mutex_lock(&m); //! deadlock
  pthread_mutex_lock(&m); //! deadlock
#elif WHAT == 4
  for (int r = 0; !r;) {
    pthread_mutex_lock(&m); //! liveness
    r = x; //! liveness
    pthread_mutex_unlock(&m);
  }
#elif WHAT == 5
  assert(atomic_load(&flag)); //! assertion
#elif WHAT == 6
  pthread_t t;
  pthread_create(&t, 0, spinner, 0);
  pthread_join(t, 0); //! liveness
#elif WHAT == 7
  sem_wait(&sem); //! deadlock
#endif
  return arg;
}

#if WAY == 2
static void *ender(void *arg) {
  exit(0);
  return arg;
}
#endif

int main(void) {
  pthread_t t;
  sem_init(&sem, 0, 0);
  pthread_create(&t, 0, waiter, 0);
#if WHAT == 0
  pthread_mutex_lock(&m);
#endif
#ifdef SET
  atomic_store(&flag, 1);
#endif
#if WAY == 1
  exit(0);
#elif WAY == 2
  pthread_t e;
  pthread_create(&e, 0, ender, 0);
  pthread_exit(0);
#elif WAY == 3
  pthread_exit(0);
#endif
  return 0;
}
