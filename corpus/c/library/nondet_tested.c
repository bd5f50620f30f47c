// about: values that are only compared with constants for equality need no range: each constant, and one other value, stand
// about: for all
// from: by hand: 0, 7 or another one, and -5 or another one
// run: | sc rc20 | verdict=verified executions=6
// run: | sc rc20 --nondet 0..1 | verdict=verified executions=4
// run: -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_KEPT | sc rc20 | verdict=violation violation=assertion
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int seen = 1;
  switch (__VERIFIER_nondet_int()) {
  case 0:
    seen = 2;
    break;
  case 7:
    seen = 3;
    break;
  default:
#ifdef BUG
    assert(0); //! assertion(BUG)
#endif
    break;
  }
  int kept = __VERIFIER_nondet_int();
  if (kept == -5)
    seen += 3;
#ifdef BUG_KEPT
  assert(seen < 6); //! assertion(BUG_KEPT)
#endif
  assert(seen < 7);
}
