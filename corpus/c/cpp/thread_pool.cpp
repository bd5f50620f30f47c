// about: a pool of threads with a queue of std::function, as one writes it
// from: by hand
// run: | sc rc11 rc20 | verdict=verified
// run: -DBUG_NO_NOTIFY | sc rc20 | verdict=violation violation=deadlock
// run: -DBUG_UNLOCKED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_STOPS_EARLY | sc rc20 | verdict=violation violation=assertion
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 1
#endif

class Pool {
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++)
      workers.emplace_back([this] { work(); });
  }

  void submit(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      tasks.push(std::move(task));
    }
    condition.notify_one();
  }

  ~Pool() {
#ifdef BUG_UNLOCKED
    stop = true; //! race
#else
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
#endif
#ifndef BUG_NO_NOTIFY
    condition.notify_all();
#endif
    for (auto &worker : workers)
      worker.join(); //! deadlock
  }

private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [this] { return stop || !tasks.empty(); }); //! deadlock, race
#ifdef BUG_STOPS_EARLY
        if (stop)
          return;
#else
        if (stop && tasks.empty()) //! race
          return;
#endif
        task = std::move(tasks.front());
        tasks.pop();
      }
      task();
    }
  }

  std::vector<std::thread> workers;
  std::queue<std::function<void()>> tasks;
  std::mutex mutex;
  std::condition_variable condition;
  bool stop = false;
};

int main() {
  std::atomic<int> done{0};
  {
    Pool pool(WORKERS);
    pool.submit([&] { done++; });
    pool.submit([&] { done++; });
  }
  assert(done == 2); //! assertion
}
