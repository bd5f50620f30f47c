// run: | sc rc20 | verdict=violation violation=null-dereference
// about: a field of a structure at no address
#include <stddef.h>

struct pair {
  int a, b;
};

int main(void) {
  struct pair *volatile p = NULL;
  return p->b; //! null-dereference
}
