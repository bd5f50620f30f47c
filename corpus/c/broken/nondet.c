// run: | rc20 --nondet 0..4 | verdict=verified
// run: | rc20 --nondet 0..5 | verdict=violation violation=assertion
// about: the same with a range
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n < 5); //! assertion
}
