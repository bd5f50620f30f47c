// about: promises, futures, shared futures, packaged tasks and std::async, with values and with exceptions
// from: by hand: making a future ready happens before a get that sees it
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTHROWS | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTASK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DASYNC | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSHARED | sc rc11 rc20 | verdict=verified
// run: -DVOID | sc rc11 rc20 | verdict=verified
// run: -DTWICE | sc rc11 | verdict=violation violation=other
// run: -DBROKEN | sc rc11 | verdict=violation violation=other
// run: -DNEVER | sc rc11 | verdict=violation violation=deadlock
// run: -DRACE | rc11 rc20 | verdict=violation violation=race
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static int data;

int main() {
#if defined THROWS
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([&p] {
    try {
      throw std::runtime_error("over there");
    } catch (...) {
      p.set_exception(std::current_exception());
    }
  });
  try {
    f.get();
    assert(false);
  } catch (const std::exception &e) {
    assert(std::string(e.what()) == "over there");
  }
  t.join();
#elif defined TASK
  std::packaged_task<int(int)> task([](int n) {
    if (n < 0)
      throw n;
    return n + 1;
  });
  auto f = task.get_future();
  std::thread t(std::move(task), -4);
  try {
    f.get();
    assert(false);
  } catch (int n) {
    assert(n == -4);
  }
  t.join();
#elif defined ASYNC
  auto a = std::async(std::launch::async, [](int n) { return n * 2; }, 21);
  auto b = std::async(std::launch::deferred, [] { return std::string("lazy"); });
  assert(b.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  assert(a.get() == 42 && b.get() == "lazy");
#elif defined SHARED
  std::promise<int> p;
  std::shared_future<int> f = p.get_future().share();
  std::thread t([f] { assert(f.get() == 3); });
  p.set_value(3);
  assert(f.get() == 3);
  t.join();
#elif defined VOID
  std::promise<void> p;
  auto f = p.get_future();
  std::thread t([&] {
    data = 1;
    p.set_value();
  });
  if (f.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready)
    assert(data == 1);
  f.wait();
  assert(data == 1);
  t.join();
#elif defined TWICE
  std::promise<int> p;
  p.set_value(1);
  p.set_value(2); //! other
#elif defined BROKEN
  std::future<int> f;
  {
    std::promise<int> p;
    f = p.get_future();
  }
  f.get(); //! other
#elif defined NEVER
  std::promise<int> p;
  auto f = p.get_future();
  f.get(); //! deadlock
#elif defined RACE
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([&] {
    p.set_value(1);
    data = 1; //! race
  });
  f.get();
  data = 2; //! race
  t.join();
#else
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([&p] {
    data = 5;
    p.set_value(42);
  });
  assert(f.get() == 42 && data == 5);
  t.join();
#endif
}
