// about: several mutexes at once in any order, guards that wait, try, adopt and let go, recursive and timed mutexes
// from: by hand
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_ONE_BY_ONE | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_RELEASED | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DRECURSIVE | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DTIMED | sc tso pso ra rc11 rc20 | verdict=verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex a, b;
static std::recursive_mutex again;
static std::timed_mutex timed;
static int n;

static void left() {
#ifdef RECURSIVE
  std::lock_guard<std::recursive_mutex> outer(again), inner(again);
  n++;
#elif defined TIMED
  if (timed.try_lock_for(std::chrono::milliseconds(1))) {
    n++;
    timed.unlock();
  }
  std::unique_lock<std::timed_mutex> lock(timed, std::defer_lock);
  if (lock.try_lock())
    lock.release()->unlock();
#elif defined BUG_ONE_BY_ONE
  std::lock_guard<std::mutex> first(a);
  std::lock_guard<std::mutex> second(b); //! deadlock
  n++;
#else
  std::scoped_lock both(a, b); //! deadlock
  n++;
#endif
}

static void right() {
#ifdef RECURSIVE
  left();
#elif defined TIMED
  std::lock_guard<std::timed_mutex> lock(timed);
  n++;
#elif defined BUG_ONE_BY_ONE
  std::lock_guard<std::mutex> first(b);
  std::lock_guard<std::mutex> second(a); //! deadlock
  n++;
#else
  std::unique_lock<std::mutex> first(b, std::defer_lock), second(a, std::defer_lock);
  std::lock(first, second); //! deadlock
  n++;
#ifdef BUG_RELEASED
  first.release();
#endif
#endif
}

int main() {
  std::thread x(left), y(right);
  x.join(); //! deadlock
  y.join(); //! deadlock
#ifndef TIMED
  assert(n == 2);
#endif
}
