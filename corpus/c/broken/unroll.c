// run: | sc rc20 | verdict=verified
// run: | sc rc20 --unroll 3 | verdict=inconclusive
// run: | sc rc20 --unroll 6 | verdict=verified
// about: a loop of five rounds with a bound that is too small, and one that is not
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  for (int i = 0; i < 5; i++)
    atomic_fetch_add(&x, 1);
  assert(atomic_load(&x) == 5);
}
