// about: TBB's concurrent_queue: elements come out once, those of one producer in their order
// needs: tbb/concurrent_queue.h
// from: by hand: the library is right; an element that is written after it was handed over is not
// run: | rc20 | verdict=verified
// run: -DBUG_LATE | rc20 | verdict=violation violation=race
#include <cassert>
#include <cstdlib>
#include <tbb/concurrent_queue.h>
#include <thread>

// What the compiled part of the library has: a queue allocates its pages by it.
namespace tbb::detail::r1 {
void *cache_aligned_allocate(std::size_t size) { return std::aligned_alloc(128, (size + 127) / 128 * 128); }
void cache_aligned_deallocate(void *at) { std::free(at); }
void throw_exception(tbb::detail::d0::exception_id) { std::abort(); }
} // namespace tbb::detail::r1

int main() {
  tbb::concurrent_queue<int *> queue;
  int item = 1;
  std::thread producer([&] {
    queue.push(&item);
#ifdef BUG_LATE
    item = 2;
#endif
  });
  int *taken = nullptr;
  if (queue.try_pop(taken))
    assert(*taken == 1);
  producer.join();
  return 0;
}
