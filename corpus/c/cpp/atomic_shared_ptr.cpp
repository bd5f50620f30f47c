// about: std::atomic<std::shared_ptr>: objects live as long as some thread has them
// from: by hand; -DPLAIN has a shared_ptr without the atomic
// run: -std=c++20 | sc rc11 rc20 | verdict=verified
// run: -std=c++20 -DPLAIN | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Config {
  int a, b;
};

#ifdef PLAIN
static std::shared_ptr<Config> current = std::make_shared<Config>(Config{1, 1});
static std::shared_ptr<Config> get() { return current; }        //! race
static void set(std::shared_ptr<Config> next) { current = next; } //! race
#else
static std::atomic<std::shared_ptr<Config>> current{std::make_shared<Config>(Config{1, 1})};
static std::shared_ptr<Config> get() { return current.load(); }
static void set(std::shared_ptr<Config> next) { current.store(std::move(next)); }
#endif

int main() {
  std::thread writer([] { set(std::make_shared<Config>(Config{2, 2})); });
  std::shared_ptr<Config> seen = get();
  assert(seen->a == seen->b);
  writer.join();
  assert(get()->a == 2);
}
