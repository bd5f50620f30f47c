// about: a local static object, and std::call_once, whose making fails the first time: another call makes it
// from: by hand: [stmt.dcl], [thread.once.callonce]
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DONCE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DWRONG | sc rc11 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::atomic<int> tries{0}, failures{0};

struct Made {
  int value;
  Made() : value(0) {
    if (tries++ == 0)
      throw std::runtime_error("first");
    value = 42;
  }
};

static std::once_flag flag;
static int value;

static int get() {
#ifdef ONCE
  std::call_once(flag, [] {
    if (tries++ == 0)
      throw std::runtime_error("first");
    value = 42;
  });
  return value;
#else
  static Made made;
  return made.value;
#endif
}

static void run() {
  try {
    assert(get() == 42);
  } catch (const std::runtime_error &) {
    failures++;
  }
}

int main() {
  std::thread a(run), b(run);
  a.join();
  b.join();
#ifdef WRONG
  assert(failures == 0); //! assertion
#else
  assert(failures == 1 && tries == 2);
#endif
}
