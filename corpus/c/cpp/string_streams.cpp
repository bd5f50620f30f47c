// about: output into strings: std::ostringstream, also through std::ostream; to std::cout nothing happens
// from: by hand, and by the library itself: compiled by clang and g++ all assertions hold; two threads that use one stream race
// run: | sc rc20 | verdict=verified
// run: -DWRONG | rc20 | verdict=violation violation=assertion
// run: -DTHREADS | sc rc20 | verdict=verified executions=1
// run: -DTHREADS -DBUG_SHARED | rc20 | verdict=violation violation=race
// run: -DFREED | rc20 | verdict=violation violation=use-after-free
#include <cassert>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

struct Point {
  int x, y;
};

static std::ostream &operator<<(std::ostream &out, const Point &point) {
  return out << '(' << point.x << ", " << point.y << ')';
}

static void numbers() {
  std::ostringstream out;
  out << "a" << 3 << 'c' << std::string("x") << 2.5 << true << 5ul << 7l << 3u << (short)-3 << (unsigned short)4 << 5ull
      << 6ll << std::hex << 255 << std::dec << '|' << std::setw(4) << std::setfill('0') << 7 << std::boolalpha << false
      << std::endl;
  out.put('x').write("abc", 2).flush();
#ifdef WRONG
  assert(out.str() == "a3cx2.5157" "3-3456ff|0007False\nxab"); //! assertion
#else
  assert(out.str() == "a3cx2.5157" "3-3456ff|0007false\nxab");
#endif
  out.str("");
  assert(out.str().empty());
  out << std::showbase << std::hex << 255 << ' ' << std::uppercase << 255 << std::setw(8) << std::internal << 16;
  assert(out.str() == "0xff 0XFF0X000010");
}

static void pointers() {
  std::ostringstream out;
  out << (void *)0x10 << std::showpos << 5 << std::hex << -1 << Point{1, 2};
  assert(out.str() == "0x10+5ffffffff(1, 2)");
  out.clear();
  assert(out.good() && out);
  std::unique_ptr<std::ostream> owned(new std::ostringstream);
  *owned << std::setw(5) << std::left << -12 << "|";
  assert(static_cast<std::ostringstream &>(*owned).str() == "-12  |");
}

static void log(std::ostringstream &out, int number) {
#ifdef BUG_SHARED
  if (number == 1)
    out.clear(); //! race
  else if (!out.good()) //! race
    std::cout << number << std::endl;
#else
  out << "thread " << number;
  std::cout << out.str() << std::endl;
#endif
}

int main() {
#if defined THREADS
  std::ostringstream one, two;
#ifdef BUG_SHARED
  std::thread a(log, std::ref(one), 1), b(log, std::ref(one), 2);
#else
  std::thread a(log, std::ref(one), 1), b(log, std::ref(two), 2);
#endif
  a.join();
  b.join();
#ifndef BUG_SHARED
  assert(one.str() == "thread 1" && two.str() == "thread 2");
#endif
#elif defined FREED
  auto *out = new std::ostringstream;
  *out << "a text that is too long for the string itself";
  delete out; //! use-after-free
  *out << 1; //! use-after-free
#else
  numbers();
  pointers();
#endif
}
