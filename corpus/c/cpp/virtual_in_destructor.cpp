// about: a base class starts a thread that calls a virtual method, and joins it in its destructor
// from: by hand: by then the derived part is gone: the destructor of the base has set the table of methods, which races with the call, and
// from: the thread may find the base's method. Joined in the derived destructor it is right
// run: | sc rc20 | verdict=verified
// run: -DBUG_BASE_JOINS | sc | verdict=violation violation=assertion
// run: -DBUG_BASE_JOINS | rc20 | verdict=violation
#include <cassert>
#include <thread>

class Base {
protected:
  std::thread worker;
  void join() {
    if (worker.joinable())
      worker.join();
  }

public:
  virtual ~Base() { join(); }
  virtual int kind() { return 1; }
  void start() {
    worker = std::thread([this] {
      assert(kind() == 2); //! assertion
    });
  }
};

class Derived : public Base {
public:
#ifndef BUG_BASE_JOINS
  ~Derived() override { join(); }
#endif
  int kind() override { return 2; }
};

int main() {
  Derived derived;
  derived.start();
}
