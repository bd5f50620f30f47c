// about: a weak compare-exchange may fail for no reason also where no other thread ever looks
// from: by hand: with --spurious-cas the exchange may fail although the value agrees; a loop around it always ends well
// run: | sc rc20 --spurious-cas | verdict=violation violation=assertion
// run: | sc rc20 | verdict=verified executions=1
// run: -DLOCAL | sc rc20 --spurious-cas | verdict=violation violation=assertion
// run: -DSTRONG | sc rc20 --spurious-cas | verdict=verified executions=1
// run: -DLOOP | sc rc20 --spurious-cas | verdict=verified
#include <assert.h>
#include <stdatomic.h>

static atomic_int global;

int main(void) {
#ifdef LOCAL
  atomic_int local = 0, *x = &local;
#else
  atomic_int *x = &global;
#endif
  int old = 0;
#ifdef LOOP
  while (!atomic_compare_exchange_weak(x, &old, 1))
    ;
  assert(atomic_load(x) == 1);
#elif defined STRONG
  assert(atomic_compare_exchange_strong(x, &old, 1));
#else
  assert(atomic_compare_exchange_weak(x, &old, 1)); //! assertion
#endif
}
