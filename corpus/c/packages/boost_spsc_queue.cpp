// about: Boost.Lockfree's queue for one producer and one consumer
// needs: boost/lockfree/spsc_queue.hpp
// run: | rc20 | verdict=verified
// run: -DTWO_PRODUCERS | rc20 | verdict=violation violation=race
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
#ifdef TWO_PRODUCERS
  std::thread another([&] { queue.push(3); });
#endif
  int first = 0, second = 0;
  if (queue.pop(first)) {
    assert(first == 1);
    if (queue.pop(second))
      assert(second == 2);
  }
  producer.join();
#ifdef TWO_PRODUCERS
  another.join();
#endif
  return 0;
}
