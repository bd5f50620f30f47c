// about: a message behind a flag, with std::atomic
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_STORE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_LOAD | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <thread>

#ifdef BUG_RELAXED_STORE
constexpr auto sent = std::memory_order_relaxed;
#else
constexpr auto sent = std::memory_order_release;
#endif
#ifdef BUG_RELAXED_LOAD
constexpr auto received = std::memory_order_relaxed;
#else
constexpr auto received = std::memory_order_acquire;
#endif

static int message;
static std::atomic<bool> ready{false};

int main() {
  std::thread sender([] {
    message = 42; //! race
    ready.store(true, sent);
  });
  std::thread receiver([] {
    if (ready.load(received)) {
      int m = message; //! race
      assert(m == 42);
    }
  });
  sender.join();
  receiver.join();
}
