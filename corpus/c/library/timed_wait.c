// about: a timed wait is woken or late; who is late must look again
// from: by hand: the setter comes first (1); or it comes second and wakes the waiter (1), or the waiter is late, and takes
//       the mutex again before (1) or after the setter, who signalled nobody (1)
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | executions=4 verdict=verified
// run: -DBUG_NOT_LATE | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DFOR_EVER | sc tso pso ra rc11 rc20 --all | executions=1 verdict=verified
//      nobody signals: it can only be late
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
  struct timespec until = {1, 500};
  int error = 0;
  pthread_mutex_lock(&l);
  if (!ready)
    error = pthread_cond_timedwait(&c, &l, &until);
#ifdef BUG_NOT_LATE
  assert(ready); //! assertion
#else
  assert(ready || error == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&l);
  return arg;
}

static void *setter(void *arg) {
#ifndef FOR_EVER
  pthread_mutex_lock(&l);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&l);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, setter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
