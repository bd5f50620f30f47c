// run: | sc rc20 | verdict=violation violation=invalid-free
// about: a global variable is freed
#include <stdlib.h>

static int x;
static int *p = &x;

int main(void) {
  free(p); //! invalid-free
}
