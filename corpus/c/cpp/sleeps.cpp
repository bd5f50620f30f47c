// about: sleeping, pausing and waiting for nothing have no effect: what one thread does is not behind what another does while
// about: it sleeps, however long
// from: by hand: a pause of an hour orders nothing; the clock of a thread stands still
// run: | sc rc20 | verdict=verified executions=2
// run: -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_PLAIN | rc11 rc20 | verdict=violation violation=race
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

using namespace std::chrono_literals;

static std::atomic<int> ready{0};
static int data;

int main() {
  std::thread quick([] {
#ifdef BUG_PLAIN
    data = 1; //! race
#endif
    ready = 1;
  });
  auto before = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(1h);
  std::this_thread::sleep_until(std::chrono::system_clock::now() + 10s);
  std::this_thread::yield();
  sched_yield();
  sleep(1);
  usleep(10);
  timespec moment{0, 1};
  timeval while_{0, 1};
  nanosleep(&moment, nullptr);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nullptr);
  assert(poll(nullptr, 0, 10) == 0);
  assert(select(0, nullptr, nullptr, nullptr, &while_) == 0);
  assert(std::chrono::steady_clock::now() - before < 1h);
#ifdef BUG_PLAIN
  assert(data >= 0); //! race
#endif
#ifdef BUG
  assert(ready == 1); //! assertion
#else
  assert(ready >= 0);
#endif
  quick.join();
}
