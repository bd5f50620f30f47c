// about: a spin lock as a class that std::lock_guard can use
// from: by hand; exchange lock: two executions
// run: | sc ra rc20 | verdict=verified executions=2
// run: | tso pso rc11 | verdict=verified
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_CLEAR | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
public:
  void lock() {
    while (flag.test_and_set(std::memory_order_acquire)) //! liveness
      ;
  }

  void unlock() {
#ifdef BUG_RELAXED
    flag.clear(std::memory_order_relaxed);
#elif !defined BUG_NO_CLEAR
    flag.clear(std::memory_order_release);
#endif
  }

private:
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

static SpinLock lock;
static int d;

static void add() {
  std::lock_guard<SpinLock> guard(lock);
  d++; //! race
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(d == 2);
}
