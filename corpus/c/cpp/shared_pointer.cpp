// about: two threads share an object; the last std::shared_ptr deletes it
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RAW_POINTER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

static std::atomic<int> alive{0};

struct Object {
  Object() { alive++; }
  ~Object() { alive--; }
  int value = 7;
};

int main() {
  auto object = std::make_shared<Object>();
#ifdef BUG_RAW_POINTER
  Object *raw = object.get();
  std::thread a([raw] {
    int v = raw->value; //! use-after-free
    (void)v;
  });
#else
  std::thread a([copy = object] { assert(copy->value == 7); });
#endif
  std::thread b([moved = std::move(object)]() mutable { moved.reset(); }); //! use-after-free
  a.join();
  b.join();
  assert(alive == 0);
}
