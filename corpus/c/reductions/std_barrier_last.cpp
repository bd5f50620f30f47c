// about: the last thread to come to a std::barrier learns what the others did before they came, and nothing else
// from: by hand: the reader sees x by a relaxed load, which orders nothing, and comes last because it has seen y first. What the
// from: other thread did before it came happens before the end of the phase; what the writer did does not, since the writer never comes.
// from: A fence in the last arrival, which is the shortest way to acquire what arrivals before it released, would acquire x as well
// run: -std=c++20 | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -std=c++20 | rc11 rc20 --reductions none | verdict=violation violation=race
// run: -std=c++20 -DACQUIRE | rc11 rc20 --reductions all | verdict=verified
// run: -std=c++20 -DCOMES | rc11 rc20 --reductions all | verdict=verified
#include <atomic>
#include <barrier>
#include <thread>

static std::atomic<int> x, y;
static int data;

#ifdef ACQUIRE
static constexpr std::memory_order how = std::memory_order_acquire;
#else
static constexpr std::memory_order how = std::memory_order_relaxed;
#endif

struct End {
  void operator()() noexcept {
    if (x.load(std::memory_order_relaxed) == 1)
      data = 2; //! race
  }
};

int main() {
  std::barrier<End> barrier(2);
  std::thread writer([&] {
    data = 1; //! race
    x.store(1, std::memory_order_release);
#ifdef COMES
    // Its arrival is one of the two.
    (void)barrier.arrive();
    y.store(1, std::memory_order_release);
  });
  std::thread other([] {});
#else
  });
  std::thread other([&] {
    (void)barrier.arrive();
    y.store(1, std::memory_order_release);
  });
#endif
  std::thread reader([&] {
    if (x.load(how) == 1 && y.load(std::memory_order_acquire) == 1)
      (void)barrier.arrive();
  });
  writer.join();
  other.join();
  reader.join();
}
