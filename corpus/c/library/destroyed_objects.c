// about: semaphores, barriers, spin locks and condition variables that are destroyed: too early, while a thread waits or holds
// about: them, and used afterwards
// from: by hand: POSIX: destroying an object on which a thread is blocked, or a lock that is held, is undefined, and so is every
// from: later use. A thread that was released from a barrier has synchronised with all that came to it: it may destroy the barrier,
// from: though not free it (freed_barrier.c)
// run: -DSEM_JOINED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSEM_PASSED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_SEM_EARLY | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_SEM_AFTER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_SEM_ALONE | sc rc20 | verdict=violation violation=lock-misuse
// run: -DBARRIER_SERIAL | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBARRIER_RELEASED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_BARRIER_EARLY | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_BARRIER_WAITS | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_BARRIER_AFTER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_BARRIER_NEVER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_HELD | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_HELD | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DBUG_SPIN_AFTER | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_COND_WAITS | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_COND_WAITS | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=lock-misuse
// run: -DCOND_WOKEN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DCOND_WOKEN | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static pthread_barrier_t b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t l;
static int waits, go;

static void *thread(void *arg) {
  (void)arg;
#if defined SEM_JOINED || defined SEM_PASSED
  sem_post(&s);
#elif defined BUG_SEM_EARLY
  sem_wait(&s);
#elif defined BUG_SEM_AFTER
  sem_destroy(&s);
#elif defined BARRIER_SERIAL
  if (pthread_barrier_wait(&b))
    pthread_barrier_destroy(&b);
#elif defined BARRIER_RELEASED || defined BUG_BARRIER_EARLY || defined BUG_BARRIER_NEVER
  pthread_barrier_wait(&b);
#elif defined BUG_BARRIER_AFTER
  pthread_barrier_destroy(&b);
#elif defined BUG_BARRIER_WAITS
  __atomic_store_n(&waits, 1, __ATOMIC_RELEASE);
  pthread_barrier_wait(&b);
#elif defined BUG_HELD
  pthread_mutex_lock(&m);
#elif defined BUG_SPIN_AFTER
  pthread_spin_destroy(&l);
#elif defined BUG_COND_WAITS || defined COND_WOKEN
  pthread_mutex_lock(&m);
  waits = 1;
  while (!go)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
#ifndef BUG_BARRIER_NEVER
  pthread_barrier_init(&b, NULL, 2);
#endif
  pthread_spin_init(&l, 0);
  pthread_create(&t, NULL, thread, NULL);
#if defined SEM_JOINED
  pthread_join(t, NULL);
  sem_destroy(&s);
#elif defined SEM_PASSED
  sem_wait(&s);
  sem_destroy(&s);
  pthread_join(t, NULL);
#elif defined BUG_SEM_EARLY
  sem_post(&s);
  sem_destroy(&s);
  pthread_join(t, NULL);
#elif defined BUG_SEM_AFTER
  pthread_join(t, NULL);
  sem_post(&s);
#elif defined BUG_SEM_ALONE
  sem_t own;
  sem_init(&own, 0, 1);
  sem_destroy(&own);
  sem_wait(&own);
  pthread_join(t, NULL);
#elif defined BARRIER_SERIAL
  if (pthread_barrier_wait(&b))
    pthread_barrier_destroy(&b);
  pthread_join(t, NULL);
#elif defined BARRIER_RELEASED
  pthread_barrier_wait(&b);
  pthread_barrier_destroy(&b);
  pthread_join(t, NULL);
#elif defined BUG_BARRIER_EARLY
  pthread_barrier_destroy(&b);
#elif defined BUG_BARRIER_WAITS
  while (!__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
    ;
  pthread_barrier_destroy(&b);
#elif defined BUG_BARRIER_AFTER
  pthread_join(t, NULL);
  pthread_barrier_wait(&b);
#elif defined BUG_BARRIER_NEVER
  pthread_join(t, NULL);
#elif defined BUG_HELD
  pthread_join(t, NULL);
  pthread_mutex_destroy(&m);
#elif defined BUG_SPIN_AFTER
  pthread_join(t, NULL);
  pthread_spin_lock(&l);
#elif defined BUG_COND_WAITS
  pthread_mutex_lock(&m);
  int seen = waits;
  pthread_mutex_unlock(&m);
  if (seen)
    pthread_cond_destroy(&c);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
#elif defined COND_WOKEN
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  pthread_cond_destroy(&c);
#endif
  return 0;
}
