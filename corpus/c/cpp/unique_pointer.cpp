// about: an object is handed from one thread to another; who has it deletes it
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_KEEP | sc tso pso ra rc11 rc20 | verdict=violation
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef BUG_RELAXED
constexpr auto handed = std::memory_order_relaxed;
#else
constexpr auto handed = std::memory_order_acq_rel;
#endif

static std::atomic<int *> slot{nullptr};

static void give() {
  auto object = std::make_unique<int>(0); //! race
  *object = 5; //! race
#ifdef BUG_KEEP
  slot.exchange(object.get(), handed);
  while (slot.load(std::memory_order_acquire) != nullptr)
    ;
#else
  slot.exchange(object.release(), handed);
#endif
}

static void take() {
  int *p;
  while ((p = slot.load(std::memory_order_relaxed)) == nullptr)
    ;
  std::unique_ptr<int> object(slot.exchange(nullptr, handed));
  int value = *object; //! race
  assert(value == 5);
}

int main() {
  std::thread a(give), b(take);
  a.join();
  b.join();
}
