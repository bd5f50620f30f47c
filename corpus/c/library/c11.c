// about: call_once, a recursive mutex, condition variables and thread-specific storage of C11
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_PLAIN | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready, made;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;

static void make(void) { made++; }

static int run(void *arg) {
  (void)arg;
  call_once(&once, make);
  mtx_lock(&m);
  mtx_lock(&m); //! deadlock
  mtx_unlock(&m);
  while (!ready)
    cnd_wait(&c, &m);
  mtx_unlock(&m);
  tss_set(key, &m);
  assert(tss_get(key) == &m);
  return 3;
}

int main(void) {
#ifdef BUG_PLAIN
  mtx_init(&m, mtx_plain);
#else
  mtx_init(&m, mtx_plain | mtx_recursive);
#endif
  cnd_init(&c);
  tss_create(&key, NULL);
  thrd_t a;
  thrd_create(&a, run, NULL);
  call_once(&once, make);
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  int result;
  thrd_join(a, &result);
  assert(result == 3 && made == 1);
  mtx_destroy(&m);
  cnd_destroy(&c);
}
