// about: the function at the end of a phase stores; that may still be on its way when the thread that called it goes on
// from: by hand: store buffering of the function's store and the load behind the barrier, in the thread that called the function. The
// from: others have waited for that store. A call of arrive_and_wait is no fence: it must not matter whether the order of arrivals is
// from: left out. Under sc one of the two stores comes first. Where any thread but the caller loads, or the caller has a fence, it is seen
// run: -std=c++20 | sc --reductions all | verdict=verified
// run: -std=c++20 | sc --reductions none | verdict=verified
// run: -std=c++20 | tso pso sra ra rc11 rc20 --reductions all | verdict=violation violation=assertion
// run: -std=c++20 | tso pso sra ra rc11 rc20 --reductions none | verdict=violation violation=assertion
// run: -std=c++20 -DFENCE | tso pso rc11 rc20 --reductions all | verdict=verified
// run: -std=c++20 -DFENCE | tso pso rc11 rc20 --reductions none | verdict=verified
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int seen;

struct End {
  void operator()() noexcept { x.store(1, std::memory_order_relaxed); }
};

int main() {
  std::barrier<End> barrier(2);
  std::thread one([&] {
    barrier.arrive_and_wait();
#ifdef FENCE
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    seen = y.load(std::memory_order_relaxed);
  });
  std::thread other([&] { barrier.arrive_and_wait(); });
  y.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int mine = x.load(std::memory_order_relaxed);
  one.join();
  other.join();
  assert(seen == 1 || mine == 1); //! assertion
}
