// about: quick_exit calls what at_quick_exit was given, the last first, and nothing that atexit was given; exit the other way round
// from: by hand: C11 7.22.4
// run: | sc rc20 | verdict=verified executions=1
// run: -DBUG_EXIT | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_ORDER | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <stdlib.h>

static int n;

static void never(void) { assert(0); } //! assertion(BUG_EXIT)
static void last(void) { assert(n == 2); } //! assertion(BUG_ORDER)
static void add(void) { n++; }

int main(void) {
  atexit(never);
#ifdef BUG_ORDER
  at_quick_exit(add);
#endif
  at_quick_exit(last);
  at_quick_exit(add);
#ifndef BUG_ORDER
  at_quick_exit(add);
#endif
#ifdef BUG_EXIT
  exit(0);
#endif
  quick_exit(0);
}
