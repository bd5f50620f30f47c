// run: | sc rc20 | executions=1 verdict=verified
// run: -DBRANCH | sc rc20 | verdict=violation violation=uninitialised-read
// run: -DINDEX | sc rc20 | verdict=violation violation=uninitialised-read
// run: -DPRINT | sc rc20 | verdict=violation violation=uninitialised-read
// run: -DHEAP | sc rc20 | verdict=violation violation=uninitialised-read
// about: what nobody set may be copied, but nothing may depend on it
#include <stdio.h>
#include <stdlib.h>

struct padded {
  char a;
  int b;
};
struct bits {
  unsigned a : 3, b : 5;
};

static struct padded pass(struct padded p) { return p; }

int main(void) {
  struct padded p = {1, 2}, q = pass(p);
  struct bits s;
  s.a = 3;
  s.b = s.a;
  int unset, copy = unset;
  if (q.a + q.b != 3 || s.b != 3)
    abort();
#ifdef BRANCH
  if (copy + 1) //! uninitialised-read
    return 1;
#endif
#ifdef INDEX
  char text[] = "ab";
  copy = text[copy & 1]; //! uninitialised-read
#endif
#ifdef PRINT
  printf("%d\n", copy); //! uninitialised-read
#endif
#ifdef HEAP
  int *h = malloc(sizeof *h);
  int half = *h / 2;
  free(h);
  if (half) //! uninitialised-read
    return 1;
#endif
  (void)copy;
  return 0;
}
