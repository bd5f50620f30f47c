// about: functions that are `inline` and neither `static` nor `extern`: C99 lets the compiler use their bodies, and there is no
// about: other file that could have them; one that is also declared `extern inline` has a body for other files, too
// about: and so has one that is defined so
// from: by hand: two increments by one
// run: | sc rc20 | verdict=verified executions=2
// run: -DLIBRARY | sc rc20 | verdict=verified executions=2
// run: -DBUG_TWICE | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#ifdef BUG_TWICE
#define STEP 2
#else
#define STEP 1
#endif

inline int step(int by) { return by * STEP; }

extern inline int once(int by) { return step(by); }

inline void bump(atomic_int *counter) { atomic_fetch_add(counter, once(1)); }

static atomic_int counter;

static void *increment(void *unused) {
  (void)unused;
  bump(&counter);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  bump(&counter);
  pthread_join(thread, NULL);
  assert(atomic_load(&counter) == 2);
#ifdef LIBRARY
  // Both a body of the program and one of the library are missing at first.
  char text[8];
  strcpy(text, "ab");
  assert(strlen(text) == 2);
#endif
  return 0;
}
