/* What a program can say to raveler. */
#ifndef RAVELER_H
#define RAVELER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest. */
void rv_assume(int condition);
/* The condition must be true. */
void rv_assert(int condition, const char *message);
/* Any value from low to high, both included. */
int rv_choose(int low, int high);
/* Collect a value under a name; the set of all values is part of the result. */
void rv_observe(const char *name, long value);

/* Wait until the condition is true. */
#define rv_wait_until(condition) \
  do {                           \
  } while (!(condition))

void __VERIFIER_assume(int condition);
void __VERIFIER_error(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);
void __VERIFIER_loop_bound(int);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);

#ifdef __cplusplus
}
#endif

#endif
