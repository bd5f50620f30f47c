// about: a lambda that keeps a reference to a local variable of a function that may return first
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_BY_REFERENCE | sc tso pso ra rc11 rc20 | verdict=violation
#include <atomic>
#include <thread>

static std::atomic<int> sum{0};

static std::thread start(int amount) {
  int twice = 2 * amount;
#ifdef BUG_BY_REFERENCE
  return std::thread([&twice] { sum += twice; });
#else
  return std::thread([twice] { sum += twice; });
#endif
}

int main() {
  std::thread t = start(4);
  t.join();
  return sum != 8;
}
