// run: | sc rc20 | verdict=violation violation=use-after-free
// about: the old address after realloc
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int *q = realloc(p, 64 * sizeof *p);
  q[1] = 2;
  int r = *p; //! use-after-free
  free(q);
  return r;
}
