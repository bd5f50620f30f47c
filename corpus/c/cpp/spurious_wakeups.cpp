// about: `std::condition_variable` and wake-ups without a signal: with a predicate, in a loop, without either
// from: by hand: the standard allows them; the form with a predicate is the loop. (library/spurious_wakeups.c has the counts)
// run: | sc rc20 --spurious-wakeups | verdict=verified
// run: -DLOOP | sc rc20 --spurious-wakeups | verdict=verified
// run: -DBUG_ONCE | sc rc20 | verdict=verified
// run: -DBUG_ONCE | sc rc20 --spurious-wakeups | verdict=violation violation=assertion
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;

int main() {
  std::thread t([] {
    std::unique_lock<std::mutex> hold(m);
#if defined LOOP
    while (!ready)
      c.wait(hold);
#elif defined BUG_ONCE
    if (!ready)
      c.wait(hold);
#else
    c.wait(hold, [] { return ready; });
#endif
    assert(ready); //! assertion
  });
  {
    std::lock_guard<std::mutex> hold(m);
    ready = true;
    c.notify_one();
  }
  t.join();
}
