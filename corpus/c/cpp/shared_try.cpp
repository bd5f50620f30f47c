// about: std::shared_mutex that is tried, alone and shared
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=4
// run: -DCERTAIN | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int data;

static void write() {
  std::unique_lock<std::shared_mutex> guard(mutex, std::try_to_lock);
  if (guard.owns_lock())
    data = 1;
}

static void read() {
  std::shared_lock<std::shared_mutex> guard(mutex, std::try_to_lock);
#ifdef CERTAIN
  assert(guard.owns_lock());
#endif
  if (guard.owns_lock())
    assert(data == 0 || data == 1);
}

int main() {
  std::thread writer(write), reader(read);
  writer.join();
  reader.join();
}
