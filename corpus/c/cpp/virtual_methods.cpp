// about: objects behind a base class, made by one thread and called by another
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_WRONG_AREA | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_DELETE_EARLY | sc tso pso ra | verdict=violation violation=use-after-free
// run: -DBUG_DELETE_EARLY | rc11 rc20 | verdict=violation
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; } //! use-after-free
  int side;
};

struct Box : Square { //! use-after-free
  Box(int side, int height) : Square(side), height(height) {}
#ifndef BUG_WRONG_AREA
  int area() const override { return side * height; } //! use-after-free
#endif
  int height;
};

static std::atomic<Shape *> shape{nullptr};

int main() {
  std::thread maker([] {
    Shape *box = new Box(2, 3);
    shape.store(box, std::memory_order_release);
#ifdef BUG_DELETE_EARLY
    delete box; //! use-after-free
#endif
  });
  std::thread user([] {
    Shape *s = shape.load(std::memory_order_acquire);
    if (s != nullptr)
      assert(s->area() == 6); //! assertion use-after-free
  });
  maker.join();
  user.join();
#ifndef BUG_DELETE_EARLY
  delete shape.load();
#endif
}
