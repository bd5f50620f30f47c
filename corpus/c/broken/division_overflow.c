// run: | sc rc20 | verdict=violation violation=arithmetic
// about: the smallest int divided by -1
#include <limits.h>

int main(void) {
  volatile int a = INT_MIN, b = -1;
  return a / b != 0; //! arithmetic
}
