// about: std::call_once and a local static variable are made once
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTWICE | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::atomic<int> made{0};
static int value;

static void make() {
  made++;
  value = 42;
}

static void run() {
#ifdef TWICE
  made++;
#else
  std::call_once(flag, make);
  assert(value == 42);
#endif
}

int main() {
  std::thread a(run), b(run);
  a.join();
  b.join();
  assert(made == 1); //! assertion
}
