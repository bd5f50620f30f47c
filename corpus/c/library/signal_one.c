// about: two threads wait, one signal: it wakes either, the other waits for ever; a broadcast wakes both
// from: by hand: the two waits are ordered by the mutex (2), and with a broadcast so are the two ways back (2). The
//       signal comes after both waits because the signaller waits until both are counted under the mutex
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | executions=4 verdict=verified
// run: -DBUG_SIGNAL | sc tso pso ra rc11 rc20 --all | executions=0 verdict=violation violation=deadlock
// run: -DTWO_SIGNALS | sc tso pso ra rc11 rc20 --all --locks ordered | executions=8 verdict=verified
//      two signals: each of the four, and who is woken first
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, counted = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *waiter(void *arg) {
  pthread_mutex_lock(&l);
  if (++waiting == 2)
    pthread_cond_signal(&counted);
  pthread_cond_wait(&c, &l); //! deadlock
  pthread_mutex_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&l);
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, waiter, NULL);
  while (waiting < 2)
    pthread_cond_wait(&counted, &l);
#ifdef BUG_SIGNAL
  pthread_cond_signal(&c);
#elif defined TWO_SIGNALS
  pthread_cond_signal(&c);
  pthread_cond_signal(&c);
#else
  pthread_cond_broadcast(&c);
#endif
  pthread_mutex_unlock(&l);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
}
