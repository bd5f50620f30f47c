// about: a template of a blocking queue with std::condition_variable
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_NO_NOTIFY | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_PREDICATE | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

template <class T, int Places> class Queue {
public:
  void put(T item) {
    std::unique_lock<std::mutex> lock(mutex);
    items[count++] = item;
#ifndef BUG_NO_NOTIFY
    not_empty.notify_one();
#endif
  }

  T take() {
    std::unique_lock<std::mutex> lock(mutex);
#ifdef BUG_NO_PREDICATE
    not_empty.wait(lock); //! deadlock
#else
    while (count == 0)
      not_empty.wait(lock); //! deadlock
#endif
    return items[--count];
  }

private:
  std::mutex mutex;
  std::condition_variable not_empty;
  T items[Places] = {};
  int count = 0;
};

int main() {
  Queue<int, 2> queue;
  int got = 0;
  std::thread taker([&] { got = queue.take(); });
  std::thread putter([&] { queue.put(7); });
  taker.join(); //! deadlock
  putter.join();
  assert(got == 7);
}
