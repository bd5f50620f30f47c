// about: typeid, dynamic_cast to bases, to derived classes, across and to the whole object; virtual inheritance
// from: by hand: [expr.dynamic.cast], [expr.typeid]
// run: | sc rc11 | verdict=verified executions=1
// run: -DWRONG | sc rc11 | verdict=violation violation=assertion
// run: -DREFERENCE | sc rc11 | verdict=violation violation=other
// run: -DPURE | sc rc11 | verdict=violation violation=other
#include <cassert>
#include <cstring>
#include <memory>
#include <typeindex>
#include <typeinfo>

struct Base {
  int base = 1;
  virtual int id() const { return 1; }
  virtual ~Base() {}
};
struct Left : virtual Base {
  int left = 2;
  int id() const override { return 2; }
};
struct Right : virtual Base {
  int right = 3;
};
struct Both : Left, Right {
  int both = 4;
  int id() const override { return base + left + right + both; }
};
struct Single : Base {
  int single = 5;
};
struct Other {
  virtual ~Other() {}
  int other = 6;
};
struct Wide : Single, Other {};
struct Twice1 : Base {};
struct Twice2 : Base {};
struct Twice : Twice1, Twice2, Other {};
class Closed : Base {
public:
  Other *none() { return nullptr; }
  Base *as_base() { return this; }
};

struct Abstract {
  Abstract() { call(); }
  void call() { pure(); } //! other
  virtual void pure() = 0;
  virtual ~Abstract() {}
};
struct Concrete : Abstract {
  void pure() override {}
};

int main() {
  Both both;
  Base *b = &both;
  assert(b->id() == 10);
  assert(dynamic_cast<Both *>(b) == &both);
  assert(dynamic_cast<Left *>(b) == &both && dynamic_cast<Right *>(b)->right == 3);
  Left *left = &both;
  assert(dynamic_cast<Right *>(left)->right == 3);
  assert(dynamic_cast<void *>(left) == &both);
  assert(!dynamic_cast<Single *>(b));
  Wide wide;
  Other *other = &wide;
  assert(dynamic_cast<Single *>(other)->single == 5);
  assert(dynamic_cast<Base *>(other)->base == 1);
  Twice twice;
  other = &twice;
  assert(!dynamic_cast<Base *>(other));
  assert(dynamic_cast<Twice2 *>(static_cast<Base *>(static_cast<Twice2 *>(&twice))));
  Closed closed;
  assert(!dynamic_cast<Closed *>(static_cast<Base *>(nullptr)));
  assert(!dynamic_cast<Closed *>(closed.as_base()));
  assert(typeid(*b) == typeid(Both) && typeid(*b) != typeid(Base));
  assert(typeid(int) == typeid(const int) && typeid(int).hash_code() != typeid(long).hash_code());
  assert(!std::strcmp(typeid(int).name(), "i") && !std::strcmp(typeid(Both).name(), "4Both"));
  assert(std::type_index(typeid(*left)) == std::type_index(typeid(Both)));
  std::shared_ptr<Base> shared = std::make_shared<Both>();
  assert(std::dynamic_pointer_cast<Left>(shared)->left == 2 && !std::dynamic_pointer_cast<Single>(shared));
#if defined WRONG
  assert(dynamic_cast<Single *>(b)); //! assertion
#elif defined REFERENCE
  (void)dynamic_cast<Single &>(*b); //! other
#elif defined PURE
  Concrete concrete;
#endif
}
