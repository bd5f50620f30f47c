// about: exceptions in several threads: locks are released by unwinding, and what was written under them is seen
// from: by hand: as without exceptions; -DKEEPS unlocks only if nothing is thrown, -DRACES throws after the unlock
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DKEEPS | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DRACES | rc11 rc20 | verdict=violation violation=race
// run: -DPASSED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DPASSED -DRELAXED | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static int balance = 1;

[[maybe_unused]] static void withdraw() {
#ifdef KEEPS
  mutex.lock(); //! deadlock
  if (balance == 0)
    throw std::runtime_error("empty");
  balance--;
  mutex.unlock();
#else
  std::lock_guard<std::mutex> guard(mutex);
  if (balance == 0)
    throw std::runtime_error("empty");
  balance--;
#endif
}

static std::atomic<int> failures{0};

[[maybe_unused]] static void customer() {
  try {
    withdraw();
  } catch (const std::exception &) {
    failures++;
#ifdef RACES
    balance = 0; //! race
#endif
  }
}

/* An exception that another thread throws on. */
#ifdef RELAXED
static constexpr auto set = std::memory_order_relaxed, look = std::memory_order_relaxed;
#else
static constexpr auto set = std::memory_order_release, look = std::memory_order_acquire;
#endif
static std::exception_ptr passed;
static std::atomic<bool> ready{false};

[[maybe_unused]] static void thrower() {
  try {
    throw std::out_of_range("over there");
  } catch (...) {
    passed = std::current_exception(); //! race
  }
  ready.store(true, set);
}

[[maybe_unused]] static void catcher() {
  while (!ready.load(look))
    ;
  try {
    std::rethrow_exception(passed); //! race
  } catch (const std::logic_error &e) {
    assert(e.what()[0] == 'o');
  }
}

int main() {
#ifdef PASSED
  std::thread a(thrower), b(catcher);
  a.join();
  b.join();
  passed = nullptr;
#else
  std::thread a(customer), b(customer);
#ifdef RACES
  std::thread c(customer);
  c.join();
#endif
  a.join();
  b.join();
#ifdef KEEPS
  customer();
#endif
#ifndef RACES
  assert(failures == 1 && balance == 0);
#endif
#endif
}
