// about: other threads in each phase of a std::barrier: who comes later knows that the last phase has ended
// from: by hand: a thread that is told by one that passed the first phase comes to the second one, and all is ordered. Told by a relaxed
// from: store it may come before the first phase has ended, when nobody is awaited, whichever store it saw. Under sra and ra all stores
// from: release; under tso and pso the release store that ends the phase holds back later stores until those before it have arrived
// run: -std=c++20 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified
// run: -std=c++20 | sc tso rc11 rc20 --reductions none | verdict=verified
// run: -std=c++20 -DRELAXED | rc11 rc20 --reductions all | verdict=violation violation=lock-misuse
// run: -std=c++20 -DRELAXED | rc11 rc20 --reductions none | verdict=violation violation=lock-misuse
// run: -std=c++20 -DRELAXED | sc tso pso sra ra --reductions all | verdict=verified
#include <atomic>
#include <barrier>
#include <thread>

#ifdef RELAXED
static constexpr std::memory_order stores = std::memory_order_relaxed;
#else
static constexpr std::memory_order stores = std::memory_order_release;
#endif

static std::atomic<int> told;

int main() {
  std::barrier<> barrier(2);
  std::thread first([&] {
    barrier.arrive_and_wait();
    told.store(1, stores);
  });
  std::thread both([&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  });
  std::thread second([&] {
    while (told.load(std::memory_order_acquire) == 0)
      ;
    barrier.arrive_and_wait(); //! lock-misuse
  });
  first.join();
  both.join();
  second.join();
}
