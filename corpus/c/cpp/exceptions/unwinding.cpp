// about: an exception runs the destructors of all that it leaves, in order; rethrown, nested and counted
// from: by hand; -DWRONG forgets one destructor
// run: | sc rc11 | verdict=verified executions=1
// run: -DWRONG | sc rc11 | verdict=violation violation=assertion
#include <cassert>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static std::string order;

struct Named {
  char name;
  explicit Named(char name) : name(name) {}
  ~Named() { order += name; }
};

static void inner() {
  Named a('a');
  {
    Named b('b');
    throw 1;
  }
}

static void middle() {
  Named c('c');
  try {
    Named d('d');
    inner();
  } catch (const char *) {
    order += '!';
  }
}

static int rethrows() {
  try {
    try {
      middle();
    } catch (int &i) {
      i = 2;
      throw;
    }
  } catch (int i) {
    return i;
  }
  return 0;
}

/* A destructor that throws and catches by itself, while another exception is on its way. */
struct Busy {
  ~Busy() {
    assert(std::uncaught_exceptions() == 1);
    try {
      throw std::string("busy");
    } catch (const std::string &s) {
      assert(std::uncaught_exceptions() == 1);
      order += s[0];
    }
  }
};

static int nested() {
  try {
    Busy busy;
    throw 10;
  } catch (int i) {
    assert(std::uncaught_exceptions() == 0);
    try {
      try {
        throw; // the same one, handled twice
      } catch (int &j) {
        j++;
      }
      throw 3.0;
    } catch (double d) {
      return i + int(d);
    }
  }
  return 0;
}

struct Part {
  static int alive;
  explicit Part(bool bad) {
    if (bad)
      throw std::invalid_argument("part");
    alive++;
  }
  ~Part() { alive--; }
};
int Part::alive;

struct Whole {
  Part first{false}, second{true};
  Part third{false};
};

static void arrays() {
  struct Counted {
    Part part;
    Counted() : part(Part::alive == 2) {}
  };
  try {
    std::unique_ptr<Counted[]> many(new Counted[4]);
    assert(false);
  } catch (const std::invalid_argument &) {
  }
}

static int function_try(bool bad) try {
  Part part(bad);
  return 1;
} catch (const std::exception &e) {
  return e.what()[0];
}

int main() {
  assert(rethrows() == 2);
#ifdef WRONG
  assert(order == "badc!"); //! assertion
#else
  assert(order == "badc");
#endif
  order.clear();
  assert(nested() == 13);
  assert(order == "b");
  try {
    std::unique_ptr<Whole> whole(new Whole);
    assert(false);
  } catch (const std::logic_error &e) {
    assert(std::string(e.what()) == "part");
  }
  assert(Part::alive == 0);
  arrays();
  assert(Part::alive == 0);
  assert(function_try(true) == 'p' && function_try(false) == 1);
  std::vector<int> v(2);
  try {
    v.at(2) = 1;
    assert(false);
  } catch (const std::out_of_range &) {
    order = "end";
  }
  assert(order == "end");
}
