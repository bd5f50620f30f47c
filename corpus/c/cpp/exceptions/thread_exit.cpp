// about: pthread_exit unwinds: the destructors of all calls run, `catch (...)` sees it and must throw it on
// from: by hand: as glibc does it; -DSWALLOWS is what it ends the process for
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTHREAD | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DCATCHES | sc rc11 | verdict=verified
// run: -DSWALLOWS | sc rc11 | verdict=violation violation=other
// run: -DNOEXCEPT | sc rc11 | verdict=violation violation=other
// run: -DGONE | sc rc11 | verdict=violation violation=use-after-free
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>

static std::mutex mutex;
static int counter;
static std::atomic<int> ended{0};
static std::atomic<int *> local{nullptr};

struct Counts {
  ~Counts() { ended++; }
};

static void leave() {
  Counts c;
  pthread_exit((void *)7);
}

#ifdef NOEXCEPT
static void through() noexcept { leave(); } //! other
#else
static void through() { leave(); }
#endif

static void *body(void *) {
  std::lock_guard<std::mutex> guard(mutex);
  std::unique_ptr<int> owned(new int(1));
  Counts c;
  counter++;
#ifdef GONE
  int mine = 3;
  local.store(&mine);
#endif
#if defined CATCHES
  try {
    through();
  } catch (...) {
    ended += 10;
    throw;
  }
#elif defined SWALLOWS
  try {
    through();
  } catch (...) {
    ended += 10;
  } //! other
#else
  through();
#endif
  assert(false);
  return nullptr;
}

int main() {
#ifdef THREAD
  auto shared = std::make_shared<int>(5);
  std::thread t([shared] {
    Counts c;
    leave();
  });
  t.join();
  assert(shared.use_count() == 1);
  assert(ended == 2);
#else
  pthread_t a, b;
  pthread_create(&a, nullptr, body, nullptr);
  pthread_create(&b, nullptr, body, nullptr);
#ifdef GONE
  while (!local.load())
    ;
  int seen = *local.load(); //! use-after-free
  (void)seen;
#endif
  void *result = nullptr;
  pthread_join(a, &result);
  pthread_join(b, nullptr);
  assert((intptr_t)result == 7);
  assert(counter == 2);
#ifdef CATCHES
  assert(ended == 24);
#else
  assert(ended == 4);
#endif
#endif
}
