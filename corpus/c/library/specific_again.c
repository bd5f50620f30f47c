// about: a destructor of thread-specific data that sets its data anew is called again, four times in all
// about: (PTHREAD_DESTRUCTOR_ITERATIONS), each key once before any a second time; a key that its thread deleted calls nothing
// from: by hand: POSIX, pthread_key_create; it went on without end
// run: | sc tso rc20 | verdict=verified executions=1
// run: -DDELETES | sc tso rc20 | verdict=verified executions=1
// run: -DBUG_ONCE | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t again, once;
static int calls, seen;

static void ends_again(void *value) {
  calls++;
  pthread_setspecific(again, value);
}

static void ends_once(void *value) {
  seen = calls;
  (void)value;
}

static void *run(void *arg) {
  pthread_setspecific(again, &calls);
  pthread_setspecific(once, &calls);
#ifdef DELETES
  pthread_key_delete(again);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&again, ends_again);
  pthread_key_create(&once, ends_once);
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
#ifdef DELETES
  assert(calls == 0 && seen == 0);
#elif defined BUG_ONCE
  assert(calls == 1); //! assertion
#else
  assert(calls == 4 && seen == 1);
#endif
}
