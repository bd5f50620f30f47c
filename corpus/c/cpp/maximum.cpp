// about: a template of fetch_max by a retry loop, passed as a function object
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_LOAD_STORE | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>

template <class T, class Better> void raise(std::atomic<T> &best, T candidate, Better better) {
  T seen = best.load(std::memory_order_relaxed);
#ifdef BUG_LOAD_STORE
  if (better(candidate, seen))
    best.store(candidate, std::memory_order_relaxed);
#else
  while (better(candidate, seen) && !best.compare_exchange_weak(seen, candidate, std::memory_order_relaxed))
    ;
#endif
}

static std::atomic<long> best{0};

int main() {
  std::thread a([] { raise(best, 5L, std::greater<long>()); });
  std::thread b([] { raise(best, 7L, [](long x, long y) { return x > y; }); });
  a.join();
  b.join();
  assert(best == 7); //! assertion
}
