// about: realloc keeps what was there and frees the old memory
// from: by hand
// run: | sc tso pso ra rc11 rc20 | executions=1 verdict=verified
// run: -DBUG_OLD | sc rc20 | verdict=violation violation=use-after-free
// run: -DBUG_TWICE | sc rc20 | verdict=violation violation=double-free
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *v = realloc(NULL, 2 * sizeof *v);
  v[0] = 1;
  v[1] = 2;
  int *old = v;
  v = realloc(v, 4 * sizeof *v);
  v[3] = 4;
  assert(v[0] == 1 && v[1] == 2 && v[3] == 4);
#ifdef BUG_OLD
  assert(old[0] == 1); //! use-after-free
#elif defined BUG_TWICE
  free(old); //! double-free
#endif
  (void)old;
  v = realloc(v, sizeof *v);
  assert(v[0] == 1);
  free(v);
  char *s = strdup("ab");
  assert(s[1] == 'b' && s[2] == 0);
  free(s);
  free(NULL);
  free(malloc(0));
  assert(calloc(1ul << 40, 1ul << 40) == NULL);
}
