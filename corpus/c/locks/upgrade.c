// about: two readers that want to become writers without leaving first
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DLEAVE_FIRST | sc tso pso ra rc11 rc20 | verdict=verified
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int d;

static void *run(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&l);
  int r = d;
#ifdef LEAVE_FIRST
  pthread_rwlock_unlock(&l);
#endif
  pthread_rwlock_wrlock(&l); //! deadlock
  d = r + 1;
  pthread_rwlock_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
}
