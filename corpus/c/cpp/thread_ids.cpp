// about: the ids of threads differ from each other and from that of no thread, also in the first thread
// from: by hand; the first thread once was called as no thread is
// run: | sc rc11 rc20 | verdict=verified
// run: -DSAME | sc rc11 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

static std::atomic<std::thread::id> owner;

int main() {
  std::thread::id me = std::this_thread::get_id();
  assert(me != std::thread::id() && pthread_equal(pthread_self(), pthread_self()));
  std::thread t([me] {
    std::thread::id none;
    assert(std::this_thread::get_id() != me);
    owner.compare_exchange_strong(none, std::this_thread::get_id());
  });
  std::thread::id none;
  bool first = owner.compare_exchange_strong(none, me);
#ifdef SAME
  assert(first); //! assertion
#else
  assert(first == (owner.load() == me));
#endif
  t.join();
}
