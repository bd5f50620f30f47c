// refuse: exit=2
// about: functions that run at exit are not run, so nothing may be said about them
#include <assert.h>
#include <stdlib.h>

static void bye(void) { assert(0); }

int main(void) {
  atexit(bye); //! refuse
}
