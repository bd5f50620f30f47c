// about: exit runs what atexit was given, the last first; _exit does not; pthread_exit from main lets the others go on
// from: by hand
// run: | sc tso pso ra rc11 rc20 | executions=1 verdict=verified
// run: -DBUG_ORDER | sc rc20 | verdict=violation violation=assertion
// run: -DAT_ONCE | sc rc20 | executions=1 verdict=verified
// run: -DTHREAD | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void second(void) { assert(n == 2); } //! assertion(BUG_ORDER)
static void first(void) { n++; }

static void *run(void *arg) {
  assert(arg == NULL); //! assertion(THREAD)
  return arg;
}

int main(void) {
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, NULL, run, &n);
  pthread_exit(NULL);
#endif
  (void)run;
  atexit(second);
  atexit(first);
#ifndef BUG_ORDER
  atexit(first);
#endif
#ifdef AT_ONCE
  n = 7;
  _exit(0);
#endif
  exit(0);
}
