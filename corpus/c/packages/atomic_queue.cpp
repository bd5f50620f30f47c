// about: atomic_queue's queues of fixed size: with an element that means empty, and for any type
// needs: atomic_queue/atomic_queue.h
// from: by hand: the library is right for several producers and consumers; with SPSC set it is for one of each
// run: | rc20 | verdict=verified
// run: -DANY_TYPE | rc20 | verdict=verified
// run: -DANY_TYPE -DTWO_PRODUCERS -DSINGLE | rc20 | verdict=violation
#include <cassert>
#include <thread>
#include <atomic_queue/atomic_queue.h>

#ifdef SINGLE
constexpr bool single = true;
#else
constexpr bool single = false;
#endif

#ifdef ANY_TYPE
atomic_queue::AtomicQueue2<int, 2, false, true, false, single> queue;
#else
atomic_queue::AtomicQueue<int, 2, 0, false, true, false, single> queue;
#endif

int main() {
  std::thread producer([] { queue.try_push(1); });
#ifdef TWO_PRODUCERS
  std::thread another([] { queue.try_push(2); });
#endif
  int value = 0;
  if (queue.try_pop(value))
    assert(value == 1 || value == 2);
  producer.join();
#ifdef TWO_PRODUCERS
  another.join();
#endif
  return 0;
}
