// refuse: exit=2
// about: main reads input with scanf
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) //! refuse
    return 0;
  printf("%d\n", n);
}
