// about: a channel that is closed, and a sum behind a lock, each shared by counting: the receiver goes on until the channel is empty and
// about: closed
// from: by hand: the value is sent and the end told under the lock; without telling, a receiver that waits is not woken
// run: | sc tso rc20 | verdict=verified
// run: -DBUG_SILENT_END | sc rc20 | verdict=violation violation=deadlock
// run: -DBUG_UNLOCKED_END | rc20 | verdict=violation violation=race
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

template <class T> class Channel {
  std::mutex m;
  std::condition_variable changed;
  std::vector<T> queue;
  bool closed = false;

public:
  void send(T value) {
    {
      std::lock_guard<std::mutex> guard(m);
      queue.push_back(value);
    }
    changed.notify_one();
  }

  std::optional<T> receive() {
    std::unique_lock<std::mutex> guard(m);
    changed.wait(guard, [this] { return !queue.empty() || closed; }); //! deadlock race
    if (queue.empty())
      return std::nullopt;
    T value = queue.front();
    queue.erase(queue.begin());
    return value;
  }

  void close() {
#ifdef BUG_UNLOCKED_END
    closed = true; //! race
#else
    std::lock_guard<std::mutex> guard(m);
    closed = true;
#endif
#ifndef BUG_SILENT_END
    changed.notify_all();
#endif
  }
};

struct Sum {
  std::mutex m;
  int value = 0;
};

int main() {
  auto channel = std::make_shared<Channel<int>>();
  auto sum = std::make_shared<Sum>();
  std::thread receiver([channel, sum] {
    while (auto value = channel->receive()) {
      std::lock_guard<std::mutex> guard(sum->m);
      sum->value += *value;
    }
  });
  channel->send(1);
  channel->send(2);
  channel->close();
  receiver.join(); //! deadlock
  assert(sum->value == 3);
}
