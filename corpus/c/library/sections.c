// about: an atomic section against accesses outside of any section: nobody sees the middle
// from: by hand: the reader before or after the section
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_TWO_SECTIONS | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DNESTED | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void __VERIFIER_atomic_three(void) { x = 3; }

static void *run(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
#ifdef BUG_TWO_SECTIONS
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
#elif defined NESTED
  __VERIFIER_atomic_three();
#endif
  x = 2;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  int r = x;
  assert(r == 0 || r == 2); //! assertion
  pthread_join(t, NULL);
}
