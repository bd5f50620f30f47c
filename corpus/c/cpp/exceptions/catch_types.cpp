// about: exceptions are caught by their type, by a base, by reference, by pointer, or by `catch (...)`, the first that fits
// from: by hand: the C++ standard, [except.handle]; -DWRONG expects the wrong handler
// run: | sc rc11 | verdict=verified executions=1
// run: -DWRONG | sc rc11 | verdict=violation violation=assertion
// run: -DUNCAUGHT | sc rc11 | verdict=violation violation=other
// run: -DPRIVATE_BASE | sc rc11 | verdict=violation violation=other
#include <cassert>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>

struct A {
  int a = 1;
  virtual ~A() {}
};
struct B {
  int b = 2;
};
struct C : A, B {
  int c = 3;
};
struct V1 : virtual A {};
struct V2 : virtual A {};
struct D : V1, V2 {
  D() { a = 7; }
};
struct L : A {};
struct R : A {};
struct Twice : L, R {};
class Hidden : B {};
enum Colour { red, green };

static int thrown(int what) {
  static C object;
  switch (what) {
  case 0: throw 5;
  case 1: throw 'x';
  case 2: throw C();
  case 3: throw D();
  case 4: throw &object;
  case 5: throw "text";
  case 6: throw nullptr;
  case 7: throw std::out_of_range("far"); //! other
  case 8: throw std::runtime_error(std::string("ran"));
  case 9: throw green;
  case 10: throw Twice();
  case 11: throw 2.5;
  case 12: throw std::bad_alloc();
  case 13: throw std::system_error(std::make_error_code(std::errc::invalid_argument));
  case 14: throw static_cast<const int *>(nullptr);
  }
  return 0;
}

static int caught(int what) {
  try {
    return thrown(what);
  } catch (int i) {
    return i;
  } catch (B &b) {
    return b.b;
  } catch (const D &d) {
    return d.a;
  } catch (B *b) {
    return b ? b->b + 10 : 11;
  } catch (const char *text) {
    return text[0];
  } catch (const std::out_of_range &e) {
    return e.what()[0];
  } catch (const std::logic_error &) {
    return -1;
  } catch (const std::exception &e) {
    return e.what()[1];
  } catch (Colour c) {
    return c + 100;
  } catch (A &) {
    return -2; // ambiguous in Twice
  } catch (void *) {
    return -3; // of a pointer to const
  } catch (const void *) {
    return 200;
  } catch (...) {
    return 300;
  }
}

/* A base that is virtual, and caught as such. */
static int as_base(int what) {
  try {
    thrown(what);
  } catch (A &a) {
    return a.a;
  } catch (...) {
  }
  return 0;
}

int main() {
  assert(caught(0) == 5);
  assert(caught(1) == 300);
  assert(caught(2) == 2);
  assert(caught(3) == 7);
  assert(caught(4) == 12);
  assert(caught(5) == 't');
  assert(caught(6) == 11);
  assert(caught(7) == 'f');
  assert(caught(8) == 'a');
  assert(caught(9) == 101);
  assert(caught(10) == 300);
  assert(caught(11) == 300);
  assert(caught(12) == 't');
  assert(caught(13) == 'e');
  assert(caught(14) == 200);
  assert(caught(15) == 0);
  assert(as_base(2) == 1);
  assert(as_base(3) == 7);
  assert(as_base(10) == 0);
#if defined WRONG
  assert(caught(7) == -1); //! assertion
#elif defined UNCAUGHT
  try {
    thrown(7);
  } catch (const std::runtime_error &) {
  }
#elif defined PRIVATE_BASE
  try {
    throw Hidden(); //! other
  } catch (B &) {
  }
#endif
}
