// about: a thread that waits for a condition variable wakes up without a signal, where that is wanted
// from: by hand: who looks again after waiting goes on waiting; who does not goes on too early. With a loop there are the executions
// from: in which it does not wait, waits and is woken, and wakes up before the signal, which then finds nobody, and comes to the
// from: mutex after it: one more than without. A wake-up that only leads back to the wait is no execution of its own, and that
// from: threads may wake up is no excuse for a signal that never comes
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: | sc tso pso ra rc11 rc20 --spurious-wakeups | verdict=verified executions=3
// run: | sc tso pso ra rc11 rc20 --spurious-wakeups --locks ordered | verdict=verified executions=3
// run: -DN=2 | sc rc20 --spurious-wakeups | verdict=verified
// run: -DN=2 | sc rc20 --spurious-wakeups --locks ordered | verdict=verified
// run: -DTIMED | sc rc20 --spurious-wakeups | verdict=verified
// run: -DBUG_IF | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_IF | sc tso pso ra rc11 rc20 --spurious-wakeups | verdict=violation violation=assertion
// run: -DBUG_IF | sc tso pso ra rc11 rc20 --spurious-wakeups --locks ordered | verdict=violation violation=assertion
// run: -DBUG_IF -DTIMED | sc rc20 --spurious-wakeups | verdict=violation violation=assertion
// run: -DBUG_NO_SIGNAL | sc tso pso ra rc11 rc20 --spurious-wakeups | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
  int late = 0;
  (void)arg;
  pthread_mutex_lock(&m);
#ifdef BUG_IF
  if (!ready)
#else
  while (!ready && !late)
#endif
  {
#ifdef TIMED
    struct timespec at = {1, 0};
    late = pthread_cond_timedwait(&c, &m, &at);
#else
    pthread_cond_wait(&c, &m); //! deadlock
#endif
  }
  assert(ready || late); //! assertion
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, waiter, NULL);
  pthread_mutex_lock(&m);
  ready = 1;
#ifndef BUG_NO_SIGNAL
  pthread_cond_broadcast(&c);
#endif
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL); //! deadlock
  return 0;
}
