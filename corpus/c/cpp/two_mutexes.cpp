// about: a transfer between two accounts takes both locks, the one with the smaller number first
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_OWN_FIRST | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int money = 10;
};

static Account accounts[2];

static void transfer(int from, int to, int amount) {
#ifdef BUG_OWN_FIRST
  int first = from, second = to;
#else
  int first = from < to ? from : to, second = from < to ? to : from;
#endif
  std::lock_guard<std::mutex> outer(accounts[first].mutex);
  std::lock_guard<std::mutex> inner(accounts[second].mutex); //! deadlock
  accounts[from].money -= amount;
  accounts[to].money += amount;
}

int main() {
  std::thread a(transfer, 0, 1, 3), b(transfer, 1, 0, 5);
  a.join(); //! deadlock
  b.join(); //! deadlock
  assert(accounts[0].money == 12 && accounts[1].money == 8);
}
