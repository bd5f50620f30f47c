// about: folly's ProducerConsumerQueue, with room for two elements
// needs: folly/ProducerConsumerQueue.h
// from: by hand: the consumer gets the elements in their order; an element that is written after it was handed over races, and so do
// from: two producers
// run: -std=c++20 -DFOLLY_NO_CONFIG | rc20 | verdict=verified
// run: -std=c++20 -DFOLLY_NO_CONFIG -DBUG_LATE | rc20 | verdict=violation violation=race
// run: -std=c++20 -DFOLLY_NO_CONFIG -DBUG_PRODUCERS | rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>

#include <folly/ProducerConsumerQueue.h>

int main() {
  folly::ProducerConsumerQueue<int *> queue(3);
  int items[2] = {1, 2};
  std::thread producer([&] {
    for (int &item : items) {
      queue.write(&item);
#ifdef BUG_LATE
      item = 3;
#endif
    }
  });
#ifdef BUG_PRODUCERS
  queue.write(&items[0]);
#endif
  int expected = 1, *item;
  for (int i = 0; i < 2; i++)
    if (queue.read(item)) {
#ifndef BUG_PRODUCERS
      assert(*item == expected);
#endif
      expected++;
    }
  producer.join();
  return 0;
}
