// about: local static objects are made once, thread-local ones per thread; what is made is destroyed in time
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_DESTROYED | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_THREADS | sc rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made, gone;

struct Thing {
  int value = 7;
  Thing() { made++; }
  ~Thing() { gone++; }
};

static Thing &thing() {
  static Thing only;
  return only;
}

static thread_local Thing own;

struct Last {
  // The two thread-local objects are gone; the static one was made after this, so it is, too, if main made it.
  ~Last() {
#ifdef BUG_DESTROYED
    assert(gone == 0); //! assertion
#else
    assert(gone == 3);
#endif
  }
} last;

static void run() {
  assert(thing().value == 7);
  own.value = 1;
}

int main() {
  thing();
  std::thread a(run);
  a.join();
  assert(gone == 1);
  own.value = 2;
#ifdef BUG_THREADS
  assert(made == 2); //! assertion
#else
  assert(made == 3);
#endif
}
