// about: one thread waits on a condition variable until another has set a flag
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_SET_WITHOUT_LOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_CHECK_WITHOUT_LOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_CHECK | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_SIGNAL_FIRST | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_WAIT_WITHOUT_LOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=lock-misuse
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg) {
  (void)arg;
#ifdef BUG_CHECK_WITHOUT_LOCK
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&l);
    pthread_cond_wait(&c, &l); //! deadlock
    pthread_mutex_unlock(&l);
  }
#elif defined BUG_NO_CHECK
  pthread_mutex_lock(&l);
  pthread_cond_wait(&c, &l); //! deadlock
  pthread_mutex_unlock(&l);
#elif defined BUG_WAIT_WITHOUT_LOCK
  while (!atomic_load(&ready))
    pthread_cond_wait(&c, &l); //! lock-misuse
#else
  pthread_mutex_lock(&l);
  while (!atomic_load(&ready))
    pthread_cond_wait(&c, &l); //! deadlock
  pthread_mutex_unlock(&l);
#endif
  return NULL;
}

static void *setter(void *arg) {
  (void)arg;
#ifdef BUG_SET_WITHOUT_LOCK
  atomic_store(&ready, 1);
  pthread_cond_signal(&c);
#elif defined BUG_SIGNAL_FIRST
  pthread_cond_signal(&c);
  pthread_mutex_lock(&l);
  atomic_store(&ready, 1);
  pthread_mutex_unlock(&l);
#else
  pthread_mutex_lock(&l);
  atomic_store(&ready, 1);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&l);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, setter, NULL);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL);
}
