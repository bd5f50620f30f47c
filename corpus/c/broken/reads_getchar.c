// refuse: exit=2
// about: main reads input with getchar
#include <stdio.h>

int main(void) {
  int c = getchar(); //! refuse
  return c == 'x';
}
