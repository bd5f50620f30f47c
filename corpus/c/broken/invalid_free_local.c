// run: | sc rc20 | verdict=violation violation=invalid-free
// about: a local variable is freed
#include <stdlib.h>

int main(void) {
  int x = 1;
  int *volatile p = &x;
  free(p); //! invalid-free
}
