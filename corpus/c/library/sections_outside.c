// about: accesses outside of atomic sections race with each other, whatever is done in sections with the same memory; with
// about: accesses inside they do not (a decision of docs/libraries.md: an access outside never comes between a section's)
// from: by hand: two accesses of two threads outside of any section, one a write, with nothing that orders them, race. What
// from: sections order is ordered: with FLAG the reader has seen in a section what the writer wrote in a later one
// run: | rc11 rc20 | verdict=violation violation=race
// run: | rc11 rc20 --locks ordered | verdict=violation violation=race
// run: | sc tso pso ra | verdict=verified
// run: -DWRITES | rc11 rc20 | verdict=violation violation=race
// run: -DBEGIN_END | rc11 rc20 | verdict=violation violation=race
// run: -DTHIRD | rc11 rc20 | verdict=violation violation=race
// run: -DNESTED | rc11 rc20 | verdict=violation violation=race
// run: -DINSIDE_ONLY | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DONE_INSIDE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DFLAG | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DATOMIC | sc tso pso ra rc11 rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef ATOMIC
static atomic_int data;
#else
static int data;
#endif
static int x, y, flag;

static void __VERIFIER_atomic_wrap(int *p) { *p = data; }
static void __VERIFIER_atomic_outer(int *p) { __VERIFIER_atomic_wrap(p); }
static void __VERIFIER_atomic_write(void) { data = 1; }
static void __VERIFIER_atomic_raise(void) { flag = 1; }
static int __VERIFIER_atomic_raised(void) { return flag; }

static void *writer(void *arg) {
#ifdef INSIDE_ONLY
  __VERIFIER_atomic_write();
#else
  data = 1; //! race
#endif
#ifdef FLAG
  __VERIFIER_atomic_raise();
#endif
  return arg;
}

static void *third(void *arg) {
  __VERIFIER_atomic_wrap(&x);
  return arg;
}

static void *reader(void *arg) {
#if defined FLAG
  if (__VERIFIER_atomic_raised())
    y = data;
#elif defined ONE_INSIDE || defined INSIDE_ONLY
  __VERIFIER_atomic_wrap(&x);
#elif defined BEGIN_END
  __VERIFIER_atomic_begin();
  x = data;
  __VERIFIER_atomic_end();
  y = data; //! race
#elif defined NESTED
  __VERIFIER_atomic_outer(&x);
  y = data; //! race
#elif defined WRITES
  __VERIFIER_atomic_wrap(&x);
  data = 2; //! race
#elif defined THIRD
  y = data; //! race
#else
  __VERIFIER_atomic_wrap(&x);
  y = data; //! race
#endif
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
#if defined THIRD || defined FLAG
  pthread_create(&c, NULL, third, NULL);
  pthread_join(c, NULL);
#else
  (void)c;
  (void)third;
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
