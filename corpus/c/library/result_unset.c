// about: a thread that gives no result although its type has one: who joins it gets a copy of what nobody set, and may not
// about: use it
// from: by hand
// run: | sc rc20 | verdict=verified executions=1
// run: -DSOME | sc rc20 | verdict=verified executions=1
// run: -DUSED | sc rc20 | verdict=violation violation=uninitialised-read
#include <assert.h>
#include <pthread.h>

static void *work(void *given) {
#ifdef SOME
  if (given)
    return given;
#endif
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, work, (void *)1);
  pthread_join(thread, &result);
#if defined(USED) || defined(SOME)
  assert(result == (void *)1); //! uninitialised-read(USED)
#endif
  return 0;
}
