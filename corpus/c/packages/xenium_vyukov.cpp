// about: xenium's bounded queue for several producers and consumers
// needs: xenium/vyukov_bounded_queue.hpp
// from: by hand: the library is right; an element that is written after it was handed over is not
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>
#include <xenium/vyukov_bounded_queue.hpp>

int main() {
  xenium::vyukov_bounded_queue<int *> queue(2);
  int item = 1;
  std::thread producer([&] {
    queue.try_push(&item);
#ifdef BUG_LATE
    item = 2;
#endif
  });
  int *taken = nullptr;
  if (queue.try_pop(taken))
    assert(*taken == 1);
  producer.join();
  return 0;
}
