// run: | sc rc20 | executions=1 verdict=verified
// run: -DAT | sc rc20 | verdict=violation
// about: code that could throw runs as long as nothing is thrown
#include <cassert>
#include <stdexcept>
#include <vector>

static int check(int n) {
  if (n > 100)
    throw std::runtime_error("too large");
  return n;
}

int main() {
  std::vector<int> numbers{1, 2, 3};
  int sum = 0;
  try {
    for (int n : numbers)
      sum += check(n);
  } catch (const std::exception &) {
    return 1;
  }
  assert(sum == 6);
#ifdef AT
  return numbers.at(7);
#endif
  return 0;
}
