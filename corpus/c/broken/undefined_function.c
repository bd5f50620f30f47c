// refuse: exit=2
// about: a function without a body that raveler does not know
#include <assert.h>

int read_sensor(void);

int main(void) {
  int v = read_sensor(); //! refuse
  assert(v >= 0);
}
