// about: Boost.Lockfree's stack
// needs: boost/lockfree/stack.hpp
// from: by hand: the library is right; an element that is written after it was handed over is not
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::stack<int *> stack(2);
  int item = 1;
  std::thread producer([&] {
    stack.push(&item);
#ifdef BUG_LATE
    item = 2;
#endif
  });
  int *taken = nullptr;
  if (stack.pop(taken))
    assert(*taken == 1);
  producer.join();
  return 0;
}
