// refuse: exit=2
// about: an allocation that no machine can satisfy
#include <stdlib.h>

int main(void) {
  volatile size_t n = (size_t)1 << 50;
  char *p = malloc(n); //! refuse
  if (p == NULL)
    return 0;
  p[n - 1] = 1;
  free(p);
}
