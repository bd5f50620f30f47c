// about: in which order threads come to a std::latch is no part of an execution where all come by arrive_and_wait
// from: by hand: N! without reductions. Where one counts down and goes on, waits without counting down, or looks, all orders
// from: count. Of two threads that come in 2 orders whoever looks once finds 2, 1 or 0 missing
// run: -std=c++20 -DN=4 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -std=c++20 -DN=4 | sc rc20 --reductions none | verdict=verified executions=24
// run: -std=c++20 -DN=3 -DDOWN | sc rc20 --reductions all | verdict=verified executions=6
// run: -std=c++20 -DN=3 -DDOWN -DBARRIER | sc rc20 --reductions all | verdict=verified executions=6
// run: -std=c++20 -DN=2 -DLOOK | sc rc20 --reductions all | verdict=verified executions=6
// run: -std=c++20 -DN=3 -DBUG_BEFORE | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -std=c++20 -DN=3 -DCOUNT=4 | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=deadlock
// run: -std=c++20 -DN=3 -DCOUNT=2 | sc rc20 --reductions all | verdict=violation violation=lock-misuse
// run: -std=c++20 -DN=2 -DTWICE | sc rc20 --reductions all | verdict=violation violation=lock-misuse
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

#ifndef COUNT
#define COUNT N
#endif

static int come[N];
constinit std::latch latch(COUNT);
#ifdef BARRIER
static std::barrier barrier(N);
#endif

static void run(int me) {
#ifdef BARRIER
  barrier.arrive_and_wait();
#endif
#ifndef BUG_BEFORE
  come[me] = 1;
#endif
#ifdef DOWN
  if (me == 0) {
    latch.count_down();
    return;
  }
#endif
  latch.arrive_and_wait(); //! deadlock lock-misuse
#ifdef BUG_BEFORE
  come[me] = 1; //! race
#endif
#ifdef TWICE
  latch.arrive_and_wait(); //! lock-misuse
#endif
#if COUNT == N
  int seen = 0;
  for (int value : come) //! race
    seen += value;
#ifndef BUG_BEFORE
  assert(seen == N);
#endif
#endif
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; i++)
    threads.emplace_back(run, i);
#ifdef LOOK
  if (latch.try_wait())
    assert(come[0] + come[1] == 2);
#endif
  for (std::thread &thread : threads)
    thread.join(); //! deadlock
}
