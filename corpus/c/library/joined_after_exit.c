// about: a thread that ends the process is never joined: who waits for it waits until all is over, which is no deadlock. WAY is what
// about: happens: 0 the thread calls exit, 1 it calls _Exit while it holds a mutex that main wants, 2 main returns while a thread
// about: joins it, 3 the thread calls exit only if it sees x, 4 the same, and else it waits for a mutex that main keeps
// from: by hand: exit does not return, and the process ends before pthread_join could; 4 is a deadlock in the execution in which
// from: the thread does not see x, since main keeps the mutex and waits for the thread
// run: -DWAY=0 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified executions=1
// run: -DWAY=0 | sc tso pso --engine interleaving | verdict=verified
// run: -DWAY=1 | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DWAY=1 | sc rc20 --locks ordered | verdict=verified
// run: -DWAY=2 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified executions=1
// run: -DWAY=3 | sc tso pso sra ra rc11 rc20 xmm | verdict=verified executions=2
// run: -DWAY=4 | sc tso pso sra ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DWAY=4 | sc rc20 --locks ordered | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static pthread_t first;

static void *run(void *arg) {
#if WAY == 0
  exit(1);
#elif WAY == 1
  pthread_mutex_lock(&m);
  atomic_store(&x, 1);
  _Exit(0);
#elif WAY == 2
  pthread_join(first, NULL);
  assert(0);
#else
  if (atomic_load(&x))
    exit(0);
#if WAY == 4
  pthread_mutex_lock(&m); //! deadlock
#endif
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, NULL, run, NULL);
#if WAY == 0
  pthread_join(t, NULL);
  assert(0);
#elif WAY == 1
  while (!atomic_load(&x))
    ;
  pthread_mutex_lock(&m);
  assert(0);
#elif WAY >= 3
#if WAY == 4
  pthread_mutex_lock(&m);
#endif
  atomic_store(&x, 1);
  pthread_join(t, NULL); //! deadlock
#endif
  return 0;
}
