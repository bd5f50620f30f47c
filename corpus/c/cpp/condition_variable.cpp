// about: waiting with a predicate, for a while, and until a time; one or all are woken
// from: by hand: see library/timed_wait.c; the predicate is looked at again by who is woken and by who is late
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_NOT_LATE | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DALL | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DALL -DBUG_ONE | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_LOCK | rc11 rc20 | verdict=violation violation=race
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

static void wait() {
  std::unique_lock<std::mutex> lock(mutex);
#ifdef ALL
  condition.wait(lock, [] { return ready; }); //! deadlock
#else
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  bool seen = condition.wait_for(lock, std::chrono::milliseconds(10), [] { return ready; });
  if (!seen)
    seen = condition.wait_until(lock, until) == std::cv_status::no_timeout;
#ifdef BUG_NOT_LATE
  assert(seen); //! assertion
#endif
  if (seen)
    assert(ready);
#endif
}

static void set() {
#ifdef BUG_NO_LOCK
  ready = true; //! race
#else
  {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
  }
#endif
#ifdef BUG_ONE
  condition.notify_one();
#else
  condition.notify_all();
#endif
}

int main() {
  std::thread a(wait);
#ifdef ALL
  std::thread b(wait);
#endif
  set();
  a.join(); //! deadlock
#ifdef ALL
  b.join(); //! deadlock
#endif
}
