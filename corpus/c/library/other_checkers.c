// about: what programs written for other checkers call, without a header that declares it; a definition in the program does
// about: not change what it means
// from: by hand: the value is 0 or 1, and the sections are whole
// run: | sc rc20 --nondet 0..1 | verdict=verified executions=4
// run: -DOWN_BODIES | sc rc20 --nondet 0..1 | verdict=verified executions=4
// run: -DESBMC | sc rc20 --nondet 0..1 | verdict=verified executions=4
// run: -DBUG | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DESBMC -DBUG | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DOWN_BODIES -DBUG | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DBUG_UNDECLARED | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DBUG_APART | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
// run: -DESBMC -DBUG_APART | sc rc20 --nondet 0..1 | verdict=violation violation=assertion
#include <pthread.h>

int nondet_int(void);

#ifdef ESBMC
void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *text);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
#define ASSUME __ESBMC_assume
#define ASSERT(condition) __ESBMC_assert(condition, #condition)
#define BEGIN __ESBMC_atomic_begin
#define END __ESBMC_atomic_end
#else
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *text);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
#ifdef OWN_BODIES
void __CPROVER_assume(_Bool condition) {
  while (!condition) {
  }
}
void __CPROVER_assert(_Bool condition, const char *text) {}
#endif
#define ASSUME __CPROVER_assume
#define ASSERT(condition) __CPROVER_assert(condition, #condition)
#define BEGIN __CPROVER_atomic_begin
#define END __CPROVER_atomic_end
#endif

static int x, y;

static void *both(void *unused) {
  BEGIN();
  x++;
#ifdef BUG_APART
  END();
  BEGIN();
#endif
  y++;
  END();
  return 0;
}

int main(void) {
  pthread_t thread;
  int value = nondet_int();
#ifndef BUG
  ASSUME(value >= 0);
#endif
  pthread_create(&thread, 0, both, 0);
  BEGIN();
  ASSERT(x == y);
  x += value;
  y += value;
  END();
  pthread_join(thread, 0);
#ifdef BUG
  ASSERT(x == 1);
#elif defined BUG_UNDECLARED
  assert(x != y); // nobody declares it
#else
  assert(x == y);
#endif
  return 0;
}
