// about: rigtorp's queue for several producers and consumers
// needs: rigtorp/MPMCQueue.h
// from: by hand: each element is taken once, with what was written before it was put in; an element that is written after that races
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>

#include <rigtorp/MPMCQueue.h>

int main() {
  rigtorp::MPMCQueue<int *> queue(2);
  int items[2] = {1, 2};
  auto put = [&](int *item) {
    queue.push(item);
#ifdef BUG_LATE
    *item = 3;
#endif
  };
  std::thread first(put, &items[0]), second(put, &items[1]);
  int *taken = nullptr;
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    queue.pop(taken);
    sum += *taken;
  }
  assert(sum == 3);
  first.join();
  second.join();
  return 0;
}
