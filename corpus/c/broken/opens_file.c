// refuse: exit=2
// about: a file is opened
#include <stdio.h>

int main(void) {
  FILE *f = fopen("data.txt", "r"); //! refuse
  return f == NULL;
}
