// about: variables of blocks and calls that an exception leaves end there; an access afterwards is a use after free
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBLOCK | sc rc11 | verdict=violation violation=use-after-free
// run: -DCALL | sc rc11 | verdict=violation violation=use-after-free
// run: -DOBJECT | sc rc11 | verdict=violation violation=use-after-free
// run: -DTHREADS | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DTHREADS -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DUNSET | sc rc11 | verdict=violation violation=uninitialised-read
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static int *kept;

static void call(int depth) {
  int here[2] = {depth, 0};
  kept = here;
  if (depth == 0)
    throw std::runtime_error("deep");
  call(depth - 1);
}

static int block() {
  try {
    int inside[2] = {4, 5};
    kept = inside;
    if (inside[1])
      throw 1;
  } catch (int) {
#ifdef BLOCK
    return *kept; //! use-after-free
#endif
  }
  return 4;
}

int main() {
  assert(block() == 4);
#if defined CALL
  try {
    call(40);
  } catch (const std::exception &) {
    return *kept; //! use-after-free
  }
#elif defined OBJECT
  const std::exception *gone = nullptr;
  try {
    call(1);
  } catch (const std::exception &e) {
    gone = &e;
  }
  return gone->what()[0]; //! use-after-free
#elif defined THREADS
  std::atomic<int *> at{nullptr};
  std::thread t([&] {
    int *seen = at.load();
    if (seen)
      *seen = 1; //! use-after-free
  });
  try {
    int local = 0;
    at.store(&local);
#ifdef JOIN
    t.join();
#endif
    throw 1;
  } catch (int) { //! use-after-free
  }
  if (t.joinable())
    t.join();
#elif defined UNSET
  int value;
  try {
    call(0);
    value = 1;
  } catch (const std::exception &) {
  }
  if (value) //! uninitialised-read
    return 1;
#else
  try {
    call(40);
  } catch (const std::exception &e) {
    assert(e.what()[0] == 'd');
  }
  int rounds = 0;
  for (int i = 0; i < 3; i++) {
    try {
      int fresh[2] = {i, i};
      kept = fresh;
      if (i != 1)
        throw fresh[0];
      rounds += 10;
    } catch (int n) {
      rounds += n;
      continue;
    }
  }
  assert(rounds == 12);
#endif
}
