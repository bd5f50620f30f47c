// about: whether a thread with a time limit is late or woken, where nothing but the signal shows it
// from: brute force over the same operations (raveler-judge, kept/late_or_woken.txt): the signal comes before the wait, or
//       after the waiter was late (in both it is lost), or it wakes the waiter
// run: | sc tso pso ra rc11 rc20 --locks aware | executions=3 verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | executions=3 verdict=verified
// run: -DBUG_LATE | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_WOKEN | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
  struct timespec until = {1, 500};
  pthread_mutex_lock(&l);
  int error = pthread_cond_timedwait(&c, &l, &until);
#ifdef BUG_LATE
  assert(error != ETIMEDOUT); //! assertion
#endif
#ifdef BUG_WOKEN
  assert(error != 0); //! assertion
#endif
  (void)error;
  pthread_mutex_unlock(&l);
  return arg;
}

static void *signaller(void *arg) {
  pthread_cond_signal(&c);
  return arg;
}

int main(void) {
  pthread_t w, s;
  pthread_create(&w, NULL, waiter, NULL);
  pthread_create(&s, NULL, signaller, NULL);
  pthread_join(w, NULL);
  pthread_join(s, NULL);
}
