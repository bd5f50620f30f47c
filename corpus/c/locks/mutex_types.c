// about: a recursive mutex may be taken again, an error-checking one says so, a normal one blocks its holder
// from: by hand
// run: -DTYPE=PTHREAD_MUTEX_RECURSIVE -DAGAIN=0 | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTYPE=PTHREAD_MUTEX_ERRORCHECK -DAGAIN=EDEADLK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTYPE=PTHREAD_MUTEX_NORMAL -DAGAIN=0 | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef TYPE
#define TYPE PTHREAD_MUTEX_RECURSIVE
#define AGAIN 0
#endif

static pthread_mutex_t l;
static int d;

static void *run(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l); //! deadlock
  d++;
  int again = pthread_mutex_lock(&l); //! deadlock
  assert(again == AGAIN);
  if (again == 0)
    pthread_mutex_unlock(&l);
  d++;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, TYPE);
  pthread_mutex_init(&l, &attr);
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
  assert(d == 4);
  pthread_mutex_destroy(&l);
}
