// about: values that programs of other checkers ask for, of every type and by every name; declared or not
// from: by hand: each is one of the values given by --nondet, cut to its type; a _Bool is 0 or 1 whatever is given. Only
// from: `first` and `chosen` are asked for in every execution, so there are as many as pairs of their values
// run: | sc rc20 --nondet 0..1 | verdict=verified executions=4
// run: | sc rc20 --nondet 0..2 | verdict=verified executions=6
// run: -DEACH | sc rc20 --nondet 1..1 | verdict=verified executions=2
// run: -DBUG | sc rc20 --nondet 0..2 | verdict=violation violation=assertion
// run: -DBUG | sc rc20 --nondet 0..1 | verdict=verified
// run: -DBUG_BOOL | sc rc20 --nondet 5..5 | verdict=violation violation=assertion
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

_Bool nondet_bool(void);
int nondet_int(void);
unsigned nondet_uint(void);
long nondet_long(void);
unsigned long nondet_ulong(void);
short nondet_short(void);
unsigned short nondet_ushort(void);
char nondet_char(void);
unsigned char nondet_uchar(void);
size_t nondet_size_t(void);
unsigned char __VERIFIER_nondet_u8(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int16_t nondet_int16(void);
int __CPROVER_nondet_int(void);

int main(void) {
  int first = nondet_int();
  _Bool chosen = nondet_bool();
  assert(chosen == 0 || chosen == 1);
#ifdef BUG
  assert(first < 2); //! assertion
#endif
#ifdef BUG_BOOL
  assert(!chosen); //! assertion
#endif
#ifdef EACH
  assert(nondet_uint() == 1 && nondet_long() == 1 && nondet_ulong() == 1 && nondet_short() == 1);
  assert(nondet_ushort() == 1 && nondet_char() == 1 && nondet_uchar() == 1 && nondet_size_t() == 1);
  assert(__VERIFIER_nondet_u8() == 1 && __VERIFIER_nondet_ulonglong() == 1 && __VERIFIER_nondet_int() == 1);
  assert(nondet_int16() == 1 && __CPROVER_nondet_int() == 1);
#endif
  return first;
}
