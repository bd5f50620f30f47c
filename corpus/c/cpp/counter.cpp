// about: a class with a counter behind a std::mutex
// from: by hand; one lock: formula N!
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: | tso pso | verdict=verified
// run: -DBUG_NO_LOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_LOCK | sc tso pso ra | verdict=violation violation=assertion
#include <cassert>
#include <mutex>
#include <thread>

class Counter {
public:
  void add(int amount) {
#ifndef BUG_NO_LOCK
    std::lock_guard<std::mutex> guard(mutex);
#endif
    value += amount; //! race
  }

  int get() {
    std::lock_guard<std::mutex> guard(mutex);
    return value;
  }

private:
  std::mutex mutex;
  int value = 0;
};

int main() {
  Counter counter;
  std::thread a([&] { counter.add(1); });
  std::thread b([&] { counter.add(2); });
  a.join();
  b.join();
  assert(counter.get() == 3); //! assertion
}
