// about: threads, mutexes and condition variables of C11's <threads.h>
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DNO_SIGNAL | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DNO_LOCK | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready, d;

static int waiter(void *arg) {
  (void)arg;
  mtx_lock(&m);
  while (!ready)
    cnd_wait(&c, &m); //! deadlock
  d++; //! race
  int result = d; //! race
  mtx_unlock(&m);
  return result;
}

static int setter(void *arg) {
  (void)arg;
  mtx_lock(&m);
  ready = 1;
#ifndef NO_SIGNAL
  cnd_signal(&c);
#endif
  mtx_unlock(&m);
#ifdef NO_LOCK
  d++; //! race
#endif
  return 0;
}

int main(void) {
  thrd_t a, b;
  int result;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&a, waiter, NULL);
  thrd_create(&b, setter, NULL);
  thrd_join(a, &result); //! deadlock
  thrd_join(b, NULL);
#ifndef NO_LOCK
  assert(result == 1);
#endif
  mtx_destroy(&m);
  cnd_destroy(&c);
}
