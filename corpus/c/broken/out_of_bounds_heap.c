// run: | sc rc20 | verdict=violation violation=out-of-bounds
// about: one past the end of an allocation
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  for (int i = 0; i <= 4; i++)
    p[i] = i; //! out-of-bounds
  free(p);
}
