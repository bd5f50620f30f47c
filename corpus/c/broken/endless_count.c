// run: | rc20 | verdict=inconclusive
// run: | rc20 --unroll 5 | verdict=inconclusive
// about: a loop that never ends and is never where it was
#include <stdatomic.h>

static atomic_uint x;

int main(void) {
  for (unsigned long i = 0; i != 5000000000000; i++)
    atomic_store(&x, (unsigned)i);
}
