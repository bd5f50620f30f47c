// about: each thread has its own copy of a thread_local variable
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_SHARED | rc11 rc20 | verdict=violation violation=race
#include <cassert>
#include <thread>

#ifdef BUG_SHARED
static int mine = 10;
#else
static thread_local int mine = 10;
#endif

static void run(int amount) {
  mine += amount; //! race
#ifndef BUG_SHARED
  assert(mine == 10 + amount);
#endif
}

int main() {
  std::thread a(run, 1), b(run, 2);
  a.join();
  b.join();
#ifndef BUG_SHARED
  assert(mine == 10);
#endif
}
