// run: | sc rc20 | verdict=violation violation=out-of-bounds
// about: a copy that is longer than its target
#include <string.h>

int main(void) {
  char name[4];
  strcpy(name, "long"); //! out-of-bounds
  return name[0];
}
