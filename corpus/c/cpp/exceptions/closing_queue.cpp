// about: a bounded queue that tells its users by an exception that it was closed
// from: by hand; -DLOST closes it without waking those that wait
// run: | sc rc11 rc20 | verdict=verified
// run: -DLOST | sc rc11 | verdict=violation violation=deadlock
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

struct QueueClosed : std::runtime_error {
  QueueClosed() : std::runtime_error("queue closed") {}
};

template <typename T> class BlockingQueue {
  mutable std::mutex m;
  std::condition_variable not_empty, not_full;
  std::deque<T> items;
  size_t capacity;
  bool closed = false;

public:
  explicit BlockingQueue(size_t capacity) : capacity(capacity) {
    if (capacity == 0)
      throw std::invalid_argument("capacity must be positive");
  }
  void push(T item) {
    std::unique_lock<std::mutex> lock(m);
    not_full.wait(lock, [this] { return closed || items.size() < capacity; });
    if (closed)
      throw QueueClosed();
    items.push_back(std::move(item));
    not_empty.notify_one();
  }
  T pop() {
    std::unique_lock<std::mutex> lock(m);
    not_empty.wait(lock, [this] { return closed || !items.empty(); }); //! deadlock
    if (items.empty())
      throw QueueClosed();
    T item = std::move(items.front());
    items.pop_front();
    not_full.notify_one();
    return item;
  }
  void close() {
    std::lock_guard<std::mutex> lock(m);
    closed = true;
#ifndef LOST
    not_empty.notify_all();
#endif
    not_full.notify_all();
  }
};

int main() {
  try {
    BlockingQueue<int> none(0);
    assert(false);
  } catch (const std::invalid_argument &) {
  }
  BlockingQueue<std::string> q(1);
  int received = 0;
  std::thread consumer([&] {
    try {
      for (;;) {
        std::string s = q.pop();
        assert(s == "item");
        received++;
      }
    } catch (const QueueClosed &) {
    }
  });
  q.push("item");
  q.push("item");
  q.close();
  consumer.join(); //! deadlock
  assert(received == 2);
}
