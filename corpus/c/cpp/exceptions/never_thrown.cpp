// about: exception classes that raveler does not provide, on a path that is never taken, are not in the way
// from: by hand
// run: | sc rc11 | verdict=verified executions=1
#include <cassert>
#include <fstream>
#include <ios>
#include <stdexcept>

struct Mine : std::ios_base::failure {
  Mine() : std::ios_base::failure("mine") {}
};

static int positive(int n) {
  if (n < 0)
    throw std::ios_base::failure("negative");
  if (n == 0)
    throw Mine();
  return n;
}

int main() {
  try {
    assert(positive(3) == 3);
    if (positive(1) == 1)
      throw std::invalid_argument("one");
  } catch (const Mine &) {
    assert(false);
  } catch (const std::logic_error &) {
    return 0;
  }
  assert(false);
}
