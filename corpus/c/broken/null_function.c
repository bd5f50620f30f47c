// run: | sc rc20 | verdict=violation violation=null-dereference
// about: a call through a function pointer that was never set
#include <stddef.h>

static void (*callback)(int);

int main(void) {
  callback(1); //! null-dereference
}
