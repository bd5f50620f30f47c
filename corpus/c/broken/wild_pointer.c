// run: | sc rc20 | verdict=violation
// about: an address that nothing lives at
#include <stdint.h>

int main(void) {
  int *p = (int *)(uintptr_t)0x123450;
  return *p;
}
