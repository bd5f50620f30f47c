// about: a local static object that a thread makes is destroyed at the end of the process, whoever made it
// from: by hand: two objects made by two threads in either order are destroyed in the other one
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DTWO | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DBUG_VALUE | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_DETACHED | rc20 | verdict=violation violation=use-after-free
#include <cassert>
#include <thread>
#include <vector>

struct Log {
  std::vector<int> lines;
  Log() { lines.push_back(1); }
  ~Log() { assert(lines.size() == 1); } //! assertion(BUG_VALUE)
};

static Log &log() {
  static Log log;
  return log;
}

static Log &other() {
  static Log log;
  return log;
}

int main() {
  std::thread writer([] {
    assert(log().lines[0] == 1); //! use-after-free(BUG_DETACHED)
#ifdef BUG_VALUE
    log().lines.push_back(2);
#endif
  });
#ifdef TWO
  std::thread second([] { assert(other().lines[0] == 1); });
  second.join();
#else
  (void)other;
#endif
#ifdef BUG_DETACHED
  writer.detach();
#else
  writer.join();
#endif
}
