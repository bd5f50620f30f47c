// run: | sc rc20 | verdict=violation violation=assertion
// run: -DNDEBUG | sc rc20 | verdict=verified
// about: an assertion that always fails
#include <assert.h>

int main(void) {
  assert(1 + 1 == 3); //! assertion
}
