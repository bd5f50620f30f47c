// about: store buffering with operators of std::atomic, which are seq_cst
// from: by hand; SB with seq_cst in the litmus corpus
// run: | sc tso pso rc11 rc20 | verdict=verified executions=3
// run: | ra | verdict=violation violation=assertion
// run: -DBUG_ACQ_REL | sc | verdict=verified executions=3
// run: -DBUG_ACQ_REL | tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};
static int a, b;

static void put(std::atomic<int> &v) {
#ifdef BUG_ACQ_REL
  v.store(1, std::memory_order_release);
#else
  v = 1;
#endif
}

static int get(std::atomic<int> &v) {
#ifdef BUG_ACQ_REL
  return v.load(std::memory_order_acquire);
#else
  return v;
#endif
}

int main() {
  std::thread first([] {
    put(x);
    a = get(y);
  });
  std::thread second([] {
    put(y);
    b = get(x);
  });
  first.join();
  second.join();
  assert(a == 1 || b == 1); //! assertion
}
