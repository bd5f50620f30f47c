// about: loops with exceptions: waiting loops that throw in every round, loops that only an exception leaves, --unroll
// from: by hand: as with `break` and `continue` in place of throws
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DNEVER | sc rc11 | verdict=violation violation=liveness
// run: -DLEFT | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DLONG | sc rc11 --unroll 3 | verdict=inconclusive
// run: -DLONG | sc rc11 --unroll 6 | verdict=violation violation=assertion
// run: -DRETRY | sc tso pso ra rc11 rc20 | verdict=verified
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> flag{0};
static int data;

static void look() {
  if (!flag.load()) //! liveness
    throw std::runtime_error("not yet");
}

static void waits() {
  for (;;) {
    try {
      look();
      break;
    } catch (const std::runtime_error &) {
    }
  }
  assert(data == 1);
}

/* Left by an exception only. */
static void spins() {
  try {
    for (;;)
      if (flag.load())
        throw 1;
  } catch (int) {
  }
  assert(data == 1);
}

static std::atomic<int> tickets{0};

static int take(int limit) {
  int seen = tickets.load();
  if (seen == limit)
    throw std::length_error("none");
  if (!tickets.compare_exchange_strong(seen, seen + 1))
    throw seen;
  return seen;
}

static void retries() {
  for (;;) {
    try {
      take(2);
      return;
    } catch (int) {
    }
  }
}

int main() {
#if defined LONG
  int rounds = 0;
  try {
    for (;;) {
      if (++rounds == 5)
        throw rounds;
    }
  } catch (int n) {
    assert(n == 4); //! assertion
  }
#elif defined RETRY
  std::thread a(retries), b(retries);
  a.join();
  b.join();
  try {
    take(2);
    assert(false);
  } catch (const std::logic_error &) {
  }
#else
#ifdef LEFT
  std::thread t(spins);
#else
  std::thread t(waits);
#endif
  data = 1;
#ifndef NEVER
  flag = 1;
#endif
  t.join();
#endif
}
