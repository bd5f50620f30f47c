// about: moodycamel's ConcurrentQueue: elements come out once, those of one producer in their order
// needs: concurrentqueue/concurrentqueue.h
// from: by hand: the library is right; an element that is written after it was handed over is not
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 1;
};

int main() {
  moodycamel::ConcurrentQueue<int *, Small> queue(2, 1, 0);
  int item = 1;
  std::thread producer([&] {
    moodycamel::ProducerToken token(queue);
    queue.enqueue(token, &item);
#ifdef BUG_LATE
    item = 2;
#endif
  });
  int *taken = nullptr;
  if (queue.try_dequeue(taken))
    assert(*taken == 1);
  producer.join();
  return 0;
}
