// about: a pointer to one thread's copy of a thread-local variable is used by another thread; the copy ends with its thread
// from: by hand
// run: | sc tso ra rc11 rc20 | verdict=verified executions=1
// run: -DZERO | sc tso ra rc11 rc20 | verdict=verified executions=1
// run: -DBUG_RACE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_GONE | sc tso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>

#ifdef ZERO
#define FIRST 0
#else
#define FIRST 7
#endif

struct pair {
  int a, b;
};

static _Thread_local struct pair mine = {FIRST, FIRST + FIRST};

static void *look(void *p) {
  struct pair *theirs = p;
  assert(mine.a == FIRST && mine.b == 2 * FIRST);
  mine.a = 9;
  assert(theirs->a == 3 && theirs->b == 2 * FIRST); //! race(BUG_RACE)
  theirs->b = 5;
  return &mine; //! use-after-free
}

int main(void) {
  pthread_t t;
  void *result;
  mine.a = 3;
  pthread_create(&t, 0, look, &mine);
#ifdef BUG_RACE
  mine.a = 3; //! race(BUG_RACE)
#endif
  pthread_join(t, &result);
#ifdef BUG_GONE
  assert(((struct pair *)result)->a == 9); //! use-after-free
#endif
  assert(mine.a == 3 && mine.b == 5);
  return 0;
}
