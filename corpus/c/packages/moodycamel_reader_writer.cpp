// about: moodycamel's ReaderWriterQueue: one producer, one consumer, elements in their order
// needs: readerwriterqueue.h
// from: by hand: the library is right for one producer and one consumer; two producers are one too many
// run: | rc20 | verdict=verified
// run: -DTWO_PRODUCERS | rc20 | verdict=violation violation=race
#include <cassert>
#include <readerwriterqueue.h>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int, 2> queue(1);
  auto put = [&](int value) { queue.enqueue(value); };
  std::thread producer([&] {
    put(1);
    put(2);
  });
#ifdef TWO_PRODUCERS
  std::thread another(put, 3);
#endif
  int first = 0, second = 0;
  if (queue.try_dequeue(first)) {
    assert(first == 1);
    if (queue.try_dequeue(second))
      assert(second == 2);
  }
  producer.join();
#ifdef TWO_PRODUCERS
  another.join();
#endif
  return 0;
}
