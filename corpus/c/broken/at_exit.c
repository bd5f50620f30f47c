// run: | sc rc20 | verdict=violation violation=assertion
// about: functions given to atexit run at the end, the last one first
#include <assert.h>
#include <stdlib.h>

static int n;

static void first(void) { assert(n == 1); }
static void second(void) { n++; }
static void bye(void) { assert(n == 0); } //! assertion

int main(void) {
  atexit(bye);
  atexit(first);
  atexit(second);
}
