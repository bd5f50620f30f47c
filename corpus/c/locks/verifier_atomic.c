// about: atomic sections of the verification intrinsics
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DFUNCTION | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DNONE | rc11 rc20 | verdict=violation violation=race
// run: -DNONE | sc tso pso ra | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int d;

#ifdef FUNCTION
static void __VERIFIER_atomic_add(void) { d = d + 1; }
#endif

static void *run(void *arg) {
  (void)arg;
#ifdef FUNCTION
  __VERIFIER_atomic_add();
#elif defined NONE
  d = d + 1; //! race
#else
  __VERIFIER_atomic_begin();
  d = d + 1;
  __VERIFIER_atomic_end();
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(d == 2); //! assertion
}
