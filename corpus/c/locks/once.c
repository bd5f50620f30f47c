// about: pthread_once runs its function once, and everybody sees what it did
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBY_HAND | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, made, runs;

static void make(void) {
  value = 42; //! race
  runs++;     //! race
}

static void *run(void *arg) {
  (void)arg;
#ifdef BY_HAND
  if (!made) { //! race
    made = 1;  //! race
    make();
  }
#else
  pthread_once(&once, make);
#endif
  int v = value; //! race
#ifndef BY_HAND
  assert(v == 42);
#endif
  (void)v;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifndef BY_HAND
  assert(runs == 1 && made == 0);
#endif
  (void)once;
}
