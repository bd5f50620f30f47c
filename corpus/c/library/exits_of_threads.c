// about: functions given to atexit run in the thread that ends the process, whichever gave them. WAY is who does what: 1 main gives,
// about: the thread ends; 2 the thread gives, main ends; 3 both give, main ends; 4 the thread gives and ends; 5 quick_exit; 6 a
// about: function that gives another one. RACE: the function uses what the thread still writes
// from: by hand: a function runs once, behind all that its giver did before; the last first where one was given before the other
// run: -DWAY=1 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=1 -DBUG | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DWAY=2 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=2 -DBUG | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DWAY=3 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=3 -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DWAY=4 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=4 -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DWAY=5 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=5 -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DWAY=6 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWAY=6 -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DWAY=2 -DRACE | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order, written;

#ifdef BUG
#define EXPECT(n) assert(0)
#else
#define EXPECT(n) assert(order++ == n)
#endif

static void last(void) {
  EXPECT(1); //! assertion(BUG)
  assert(written == 1);
}

static void first(void) {
  EXPECT(0); //! assertion(BUG)
#ifdef RACE
  written = 2; //! race
#endif
#if WAY == 6
  atexit(last);
#endif
}

static void *run(void *arg) {
  written = 1;
#if WAY == 3 || defined(RACE)
  atexit(first);
#elif WAY == 2
  atexit(last);
  atexit(first);
#elif WAY == 4
  atexit(last);
  atexit(first);
#endif
#ifdef RACE
  written = 3; //! race
#endif
#if WAY == 5
  quick_exit(0);
#elif WAY != 2 && WAY != 3
  exit(0);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
#if WAY == 1
  atexit(last);
  atexit(first);
#elif WAY == 3
  atexit(last);
#elif WAY == 5
  atexit(abort);
  at_quick_exit(last);
  at_quick_exit(first);
#elif WAY == 6
  atexit(first);
#endif
  pthread_create(&t, NULL, run, NULL);
#ifdef RACE
  exit(0);
#endif
  pthread_join(t, NULL);
#if WAY != 2 && WAY != 3
  assert(0);
#endif
  return 0;
}
