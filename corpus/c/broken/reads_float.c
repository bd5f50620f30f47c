// refuse: exit=2
// about: a conversion of sscanf that is not known
#include <stdio.h>

int main(void) {
  float number;
  return sscanf("1.5", "%f", &number); //! refuse
}
