// about: temporaries live until the end of their full expression, or as long as the reference they are bound to
// from: by hand: C++17 [class.temporary]: a reference bound to a temporary itself keeps it alive as long as the reference; one
// from: that a function or a member hands on does not. Destructors run before the variable ends
// run: -DEXTENDED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DIN_EXPRESSION | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DCONDITIONAL | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DHANDED_ON | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DKEPT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCAPTURED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DDESTRUCTOR | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DDESTRUCTOR -DTOO_LATE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DTHREAD | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DTHREAD -DTOO_LATE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
#include <cassert>
#include <functional>
#include <optional>
#include <thread>

struct Number {
  int value;
  explicit Number(int v) : value(v) {}
  ~Number() { value = -1; }
};

static const int &hand_on(const int &v) { return v; }

struct Keeps {
  const Number &of;
  explicit Keeps(const Number &n) : of(n) {}
  int get() const { return of.value; } //! use-after-free
};

struct Looks {
  int *at;
  explicit Looks(int *p) : at(p) {}
  ~Looks() { assert(*at == 5); } //! use-after-free
};

static int zero = 0;

int main() {
#if defined EXTENDED
  const Number &n = Number(5);
  int other = 7;
  assert(n.value == 5 && other == 7);
#elif defined IN_EXPRESSION
  assert(Keeps(Number(5)).get() == 5);
#elif defined CONDITIONAL
  for (int i = 0; i < 2; i++) {
    int v = i ? Keeps(Number(5)).get() : Number(6).value;
    assert(v == 6 - i);
  }
#elif defined HANDED_ON
  const int &r = hand_on(zero + 5);
  assert(r == 5); //! use-after-free
#elif defined KEPT
  Keeps k{Number(5)};
  assert(k.get() == 5);
#elif defined CAPTURED
  std::function<int()> f;
  {
    int v = 5;
    f = [&v] { return v; }; //! use-after-free
  }
  assert(f() == 5); //! use-after-free
#elif defined DESTRUCTOR
#ifdef TOO_LATE
  std::optional<Looks> looks;
  {
    int v = 5;
    looks.emplace(&v);
  }
#else
  for (int i = 0; i < 2; i++) {
    int v = 5;
    Looks looks(&v);
    if (i) break;
  }
#endif
#elif defined THREAD
  std::thread t;
  {
    int v = 5;
    t = std::thread([&v] { assert(v == 5); }); //! use-after-free
#ifndef TOO_LATE
    t.join();
#endif
  } //! use-after-free
#ifdef TOO_LATE
  t.join();
#endif
#endif
  return 0;
}
