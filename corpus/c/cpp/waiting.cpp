// about: C++20: waiting for atomics, semaphores, latches and barriers; threads that join by themselves
// from: by hand
// run: -std=c++20 -DATOMIC | sc tso pso ra rc11 rc20 | verdict=verified
// run: -std=c++20 -DATOMIC -DBUG_NEVER | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -std=c++20 -DSEMAPHORE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -std=c++20 -DSEMAPHORE -DBUG_NEVER | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -std=c++20 -DLATCH | sc tso pso ra rc11 rc20 | verdict=verified
// run: -std=c++20 -DLATCH -DBUG_NEVER | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> x{0};
static std::counting_semaphore<4> semaphore{0};
static std::latch latch{2};
static int data[2];

static void left() {
  data[0] = 1; //! race
#ifdef ATOMIC
#ifndef BUG_NEVER
  x = 1;
#endif
  x.notify_one();
#elif defined SEMAPHORE
#ifndef BUG_NEVER
  semaphore.release();
#endif
#elif defined BUG_NEVER
  latch.count_down();
#else
  latch.arrive_and_wait();
  assert(data[1] == 1);
#endif
}

static void right() {
  data[1] = 1;
#ifdef ATOMIC
  x.wait(0); //! deadlock
#elif defined SEMAPHORE
  semaphore.acquire(); //! deadlock
#elif defined BUG_NEVER
  latch.count_down();
#else
  latch.arrive_and_wait();
#endif
  assert(data[0] == 1); //! race
}

int main() {
  std::jthread a(left), b(right);
} //! deadlock
