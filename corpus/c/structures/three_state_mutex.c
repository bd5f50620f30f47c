// about: a mutex of three states (free, taken, taken and awaited); sleeping while the word has a value is done by a mutex and a condition
// about: variable, as a kernel does it for a futex
// from: by hand: who sleeps has set "awaited", and keeps saying so when it gets the lock, for others may sleep, too. One that sleeps
// from: without saying so is not woken
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: | sc rc20 --locks ordered | verdict=verified
// run: -DBUG_SLEEPS_UNSEEN | sc tso pso sra ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELAXED
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

enum { FREE, TAKEN, AWAITED };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int word;
static int d;

static void sleep_while(int value) {
  pthread_mutex_lock(&m);
  if (atomic_load_explicit(&word, memory_order_relaxed) == value)
    pthread_cond_wait(&c, &m); //! deadlock
  pthread_mutex_unlock(&m);
}

static void wake(void) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}

static void lock(void) {
  int old = FREE;
  if (atomic_compare_exchange_strong_explicit(&word, &old, TAKEN, memory_order_acquire, memory_order_relaxed))
    return;
#ifdef BUG_SLEEPS_UNSEEN
  do {
    sleep_while(old);
    old = FREE;
  } while (!atomic_compare_exchange_strong_explicit(&word, &old, TAKEN, memory_order_acquire, memory_order_relaxed));
#else
  while (atomic_exchange_explicit(&word, AWAITED, memory_order_acquire) != FREE)
    sleep_while(AWAITED);
#endif
}

static void unlock(void) {
  if (atomic_exchange_explicit(&word, FREE, UNLOCK) == AWAITED)
    wake();
}

static void *run(void *arg) {
  lock();
  d = d + 1; //! race
  unlock();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
  assert(d == 2);
}
