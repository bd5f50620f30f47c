// about: readers and a writer with std::shared_mutex
// from: by hand; two readers: formula 2^N
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: | tso pso | verdict=verified
// run: -DBUG_WRITE_UNDER_SHARED | rc11 rc20 | verdict=violation violation=race
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int a, b;

static void read() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  int x = a; //! race
  int y = b; //! race
#ifndef BUG_WRITE_UNDER_SHARED
  assert(x == y);
#endif
  (void)x, (void)y;
}

static void write() {
#ifdef BUG_WRITE_UNDER_SHARED
  std::shared_lock<std::shared_mutex> lock(mutex);
#else
  std::unique_lock<std::shared_mutex> lock(mutex);
#endif
  a = 1; //! race
  b = 1; //! race
}

int main() {
  std::thread first(read), second(read), third(write);
  first.join();
  second.join();
  third.join();
}
