// about: a thread pool whose tasks give their results, or their exceptions, through futures
// from: by hand; -DLATE asks a pool that is stopped, -DLOST forgets to wake a worker
// run: | sc rc11 rc20 | verdict=verified
// long: -DTWO | sc rc11 rc20 | verdict=verified
// run: -DLATE | sc rc11 | verdict=violation violation=other
// run: -DLOST | sc rc11 | verdict=violation violation=deadlock
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++)
      workers.emplace_back([this] { work(); });
  }

  template <class F> auto submit(F f) -> std::future<decltype(f())> {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
    auto result = task->get_future();
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (stopped)
        throw std::runtime_error("the pool is stopped"); //! other
      tasks.emplace([task] { (*task)(); });
    }
#ifndef LOST
    wake.notify_one();
#endif
    return result;
  }

  void stop() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopped = true;
    }
    wake.notify_all();
  }

  ~Pool() {
    stop();
    for (auto &worker : workers)
      worker.join();
  }

private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [this] { return stopped || !tasks.empty(); }); //! deadlock
        if (tasks.empty())
          return;
        task = std::move(tasks.front());
        tasks.pop();
      }
      task();
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  std::queue<std::function<void()>> tasks;
  bool stopped = false;
  std::vector<std::thread> workers;
};

int main() {
  Pool pool(1);
#ifdef LATE
  pool.stop();
#endif
#if defined TWO || defined LOST
  auto good = pool.submit([] { return 9; });
  assert(good.get() == 9); //! deadlock
#endif
#ifndef LOST
  auto bad = pool.submit([]() -> int { throw std::logic_error("bad"); });
  try {
    bad.get();
    assert(false);
  } catch (const std::logic_error &e) {
    std::cout << e.what() << std::endl;
  }
#endif
}
