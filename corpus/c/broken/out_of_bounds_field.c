// run: | sc rc20 | verdict=violation violation=out-of-bounds
// about: an allocation that is too small for the structure
#include <stdlib.h>

struct pair {
  int a, b;
};

int main(void) {
  struct pair *p = malloc(sizeof(int));
  p->a = 1;
  p->b = 2; //! out-of-bounds
  free(p);
}
