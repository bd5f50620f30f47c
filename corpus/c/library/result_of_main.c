// about: pthread_exit in main gives a result, as in any thread, to who joins it
// from: by hand: POSIX lets any thread join the first one; the address is of a static variable, which outlives it
// run: | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DBUG_LOCAL | sc rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NULL | sc rc20 | verdict=violation violation=null-dereference
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t first;

static void *run(void *arg) {
  void *result;
  pthread_join(first, &result);
  assert(*(int *)result == 4); //! use-after-free(BUG_LOCAL) null-dereference(BUG_NULL)
  return arg;
}

int main(void) {
#ifdef BUG_LOCAL
  int value = 4;
#else
  static int value = 4;
#endif
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, NULL, run, NULL);
#ifdef BUG_NULL
  pthread_exit(NULL);
#endif
  pthread_exit(&value); //! use-after-free(BUG_LOCAL)
}
