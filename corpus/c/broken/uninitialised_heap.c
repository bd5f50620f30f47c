// run: | sc rc20 | verdict=violation violation=uninitialised-read
// about: memory from malloc that nobody has written
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 1;
  assert(p[1] == 0); //! uninitialised-read
  free(p);
}
