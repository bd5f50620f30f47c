// run: | sc rc20 | verdict=violation violation=invalid-free
// about: an address inside an allocation is freed
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  free(p + 1); //! invalid-free
}
