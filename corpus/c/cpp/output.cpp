// about: std::cout, cerr and clog change nothing, but what they read is read
// from: by hand: store buffering has 3 executions under sc and 4 elsewhere; a text that another thread writes meanwhile races
// run: | sc | verdict=verified executions=3 blocked=0
// run: | tso pso ra rc11 rc20 | verdict=verified executions=4 blocked=0
// run: -DBUG_SHARED_TEXT | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_CALLED | rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>

static std::atomic<int> x, y;
static std::string text = "text";

static std::ostream &note(std::ostream &out) {
#ifdef BUG_CALLED
  assert(&out == &std::cerr); //! assertion
#endif
  return out << "note";
}

int main() {
  std::thread left([] {
    x.store(1, std::memory_order_relaxed);
    std::cout << "left saw " << y.load(std::memory_order_relaxed) << std::endl;
#ifdef BUG_SHARED_TEXT
    text[0] = 'T'; //! race
#endif
  });
  std::thread right([] {
    y.store(1, std::memory_order_relaxed);
    std::cerr << "right saw " << std::hex << std::setw(4) << x.load(std::memory_order_relaxed) << '\n';
#ifdef BUG_SHARED_TEXT
    std::clog << text; //! race
#endif
  });
  left.join();
  right.join();
  std::cout << std::boolalpha << true << ' ' << 1.5 << ' ' << (void *)&x << text << note << std::flush;
  std::cout.put('.').write("...", 3) << "\n";
}
