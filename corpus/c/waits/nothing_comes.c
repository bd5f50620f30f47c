// about: main waits for what no other thread touches, after a read of something that another thread writes later: a barrier
// about: for two (WHAT 0), a semaphore (1), a loop (2), a mutex that it holds (3). BEFORE: it read that before the
// about: other thread was there, too
// from: raveler-judge programs, shrunk
// run: -DWHAT=0 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=0 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DWHAT=0 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=0 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
// run: -DWHAT=0 | sc tso pso ra rc11 rc20 --equivalence co --all | verdict=violation violation=deadlock
// run: -DWHAT=1 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=1 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DWHAT=1 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=1 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
// run: -DWHAT=1 | sc tso pso ra rc11 rc20 --equivalence co --all | verdict=violation violation=deadlock
// run: -DWHAT=2 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=liveness
// run: -DBEFORE -DWHAT=2 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=liveness
// run: -DWHAT=2 | sc tso pso ra rc11 rc20 --equivalence co --all | verdict=violation violation=liveness
// run: -DWHAT=3 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=3 | sc tso pso ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock
// run: -DWHAT=3 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
// run: -DBEFORE -DWHAT=3 | sc tso pso ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int seen;

static void *other(void *unused) {
  (void)unused;
  atomic_store_explicit(&seen, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t thread;
#ifdef BEFORE
  atomic_load_explicit(&seen, memory_order_relaxed);
#define READ
#else
#define READ atomic_load_explicit(&seen, memory_order_relaxed)
#endif
  pthread_create(&thread, NULL, other, NULL);
#if WHAT == 0
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 2);
  READ;
  pthread_barrier_wait(&barrier);
#elif WHAT == 1
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  READ;
  sem_wait(&semaphore);
#elif WHAT == 2
  atomic_int mine = 0;
  READ;
  while (!atomic_load_explicit(&mine, memory_order_acquire))
    ;
#elif WHAT == 3
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  READ;
  pthread_mutex_lock(&mutex);
#endif
  pthread_join(thread, NULL);
  return 0;
}
