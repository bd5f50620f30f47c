// run: | sc rc20 | verdict=verified leaks=1
// about: memory that is never freed is a warning, no violation
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  p = NULL;
}
