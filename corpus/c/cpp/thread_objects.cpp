// about: threads with arguments by value and by reference, of methods, moved; a thread must be joined or detached
// from: by hand
// run: | sc tso pso ra rc11 rc20 | executions=1 verdict=verified
// run: -DBUG_NOT_JOINED | sc rc20 | verdict=violation violation=other
// run: -DBUG_JOINED_TWICE | sc rc20 | verdict=violation violation=other
// run: -DBUG_REFERENCE | rc11 rc20 | verdict=violation violation=race
#include <cassert>
#include <functional>
#include <thread>
#include <utility>

struct Counter {
  int n = 0;
  void add(int by) { n += by; }
};

static void set(int &to, int value) { to = value; } //! race

int main() {
  Counter counter;
  int copied = 1, shared = 1;
  std::thread a(&Counter::add, &counter, 3);
  std::thread b(set, std::ref(shared), copied + 1);
  std::thread moved = std::move(a);
  assert(!a.joinable() && moved.joinable());
#ifdef BUG_REFERENCE
  shared++; //! race
#endif
  moved.join();
#ifdef BUG_JOINED_TWICE
  moved.join(); //! other
#endif
#ifndef BUG_NOT_JOINED
  b.join();
  assert(shared == 2);
#endif
  assert(counter.n == 3);
} //! other
