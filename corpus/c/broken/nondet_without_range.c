// refuse: exit=2
// about: a nondeterministic value needs a range
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(); //! refuse
  assert(n < 5);
}
