// about: exceptions that nothing catches, or that leave what may not throw: std::terminate is called
// from: by hand: [except.terminate]
// run: -DMAIN | sc rc11 | verdict=violation violation=other
// run: -DTHREAD | sc rc11 | verdict=violation violation=other
// run: -DPTHREAD | sc rc11 | verdict=violation violation=other
// run: -DNOEXCEPT | sc rc11 | verdict=violation violation=other
// run: -DDESTRUCTOR | sc rc11 | verdict=violation violation=other
// run: -DWHILE_UNWINDING | sc rc11 | verdict=violation violation=other
// run: -DNOTHING | sc rc11 | verdict=violation violation=other
// run: -DCALLED | sc rc11 | verdict=violation violation=other
// run: -DSPECIFIED -std=c++14 -Wno-deprecated | sc rc11 | verdict=violation violation=other
// run: -DLIBRARY | sc rc11 | verdict=violation violation=other
// run: -DJOINABLE | sc rc11 | verdict=violation violation=other
// run: -DCAUGHT | sc tso pso ra rc11 rc20 | verdict=verified
#include <cassert>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <vector>

struct Error {
  int code;
};

static void fails(int code) {
  if (code)
    throw Error{code}; //! other
}

[[maybe_unused]] static void careless() noexcept { fails(1); } //! other

struct Throws {
  int code;
  ~Throws() noexcept(false) {
    if (code)
      fails(code);
  } //! other
};

[[maybe_unused]] static void *body(void *) {
  fails(1);
  return nullptr;
}

#ifdef SPECIFIED
static void may_throw_int() throw(int) { fails(1); } //! other
#endif

int main() {
#if defined MAIN
  fails(1);
#elif defined THREAD
  std::thread t([] { fails(1); });
  try {
    t.join();
  } catch (const Error &) {
    // What a thread throws does not come here.
  }
#elif defined PTHREAD
  pthread_t t;
  pthread_create(&t, nullptr, body, nullptr);
  pthread_join(t, nullptr);
#elif defined NOEXCEPT
  try {
    careless();
  } catch (...) {
  }
#elif defined DESTRUCTOR
  struct Quiet {
    ~Quiet() { fails(1); } //! other
  };
  try {
    Quiet q;
  } catch (...) {
  }
#elif defined WHILE_UNWINDING
  try {
    Throws a{2};
    fails(1);
  } catch (...) { //! other
  }
#elif defined NOTHING
  try {
    throw; //! other
  } catch (...) {
  }
#elif defined CALLED
  std::terminate(); //! other
#elif defined SPECIFIED
  try {
    may_throw_int();
  } catch (...) {
  }
#elif defined LIBRARY
  std::vector<int> v(1);
  try {
    v.at(1) = 0; //! other
  } catch (const std::runtime_error &) {
  }
#elif defined JOINABLE
  try {
    std::thread t([] {});
    fails(1);
    t.join();
  } catch (const Error &) { //! other
  }
#elif defined CAUGHT
  int seen = 0;
  std::thread t([&] {
    try {
      Throws a{3};
    } catch (const Error &e) {
      seen = e.code;
    }
  });
  t.join();
  assert(seen == 3);
#endif
}
