// about: rigtorp's queue for one producer and one consumer, with room for one element
// needs: rigtorp/SPSCQueue.h
// from: by hand: the consumer gets the elements in their order; an element that is written after it was handed over races, and so do
// from: two producers
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
// run: -DBUG_PRODUCERS | rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>

#include <rigtorp/SPSCQueue.h>

int main() {
  rigtorp::SPSCQueue<int *> queue(1);
  int items[2] = {1, 2};
  std::thread producer([&] {
    for (int &item : items) {
      (void)queue.try_push(&item);
#ifdef BUG_LATE
      item = 3;
#endif
    }
  });
#ifdef BUG_PRODUCERS
  (void)queue.try_push(&items[0]);
#endif
  int last = 0;
  for (int i = 0; i < 2; i++)
    if (int **front = queue.front()) {
#ifndef BUG_PRODUCERS
      assert(**front > last);
      last = **front;
#endif
      queue.pop();
    }
  producer.join();
  return last > 2;
}
