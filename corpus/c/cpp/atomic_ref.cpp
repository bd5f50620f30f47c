// about: std::atomic_ref (C++20) on a plain variable
// from: by hand; two increments: formula N!
// run: -std=c++20 | sc ra rc11 rc20 | verdict=verified executions=2
// run: -std=c++20 | tso pso | verdict=verified
// run: -std=c++20 -DBUG_PLAIN | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <thread>

static int x;

static void add() {
  std::atomic_ref<int>(x).fetch_add(1, std::memory_order_relaxed); //! race
}

static void add_plain() {
  x++; //! race
}

int main() {
#ifdef BUG_PLAIN
  std::thread a(add), b(add_plain);
#else
  std::thread a(add), b(add);
  (void)add_plain;
#endif
  a.join();
  b.join();
#ifndef BUG_PLAIN
  assert(x == 2);
#endif
}
