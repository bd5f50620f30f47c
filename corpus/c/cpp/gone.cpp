// about: a mutex that is deleted, or whose function returns, while another thread may lock it; random numbers of C++
// from: by hand: locking a mutex is an access to its memory; joined first (JOIN) the other thread is over
// run: -DDELETE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSCOPE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DDELETE -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSCOPE -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DRANDOM | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <cassert>
#include <mutex>
#include <random>
#include <thread>

static std::thread start(std::mutex *m) {
  std::thread t([m] {
    std::lock_guard<std::mutex> l(*m); //! use-after-free
  });                                  //! use-after-free
#ifdef JOIN
  t.join();
#endif
  return t;
}

static std::thread scope() {
  std::mutex m;
  return start(&m);
} //! use-after-free

int main() {
#if defined DELETE
  auto *m = new std::mutex;
  std::thread t = start(m);
  delete m; //! use-after-free
#elif defined SCOPE
  std::thread t = scope();
#else
  std::thread t;
  std::random_device device;
  unsigned a = device(), b = device();
  assert(a != b);
  std::mt19937 engine(device());
  std::uniform_int_distribution<int> dice(1, 6);
  int n = dice(engine);
  assert(1 <= n && n <= 6);
#endif
  (void)scope;
  (void)start;
  if (t.joinable())
    t.join();
}
