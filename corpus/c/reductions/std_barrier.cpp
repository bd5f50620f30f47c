// about: in which order threads come to a std::barrier is no part of an execution where as many come as it waits for, and all wait
// from: by hand: without reductions a factor of N! for each phase; with them nothing, or with a function at the end of the
// from: phase a factor of N: any of the threads may call it. Where a thread does not wait all orders count. Where more
// from: come one of them may come before the phase has ended, when none is awaited, which the standard forbids
// run: -std=c++20 -DN=4 | sc tso pso sra ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -std=c++20 -DN=4 | sc rc20 --reductions barriers --equivalence co | verdict=verified executions=1
// run: -std=c++20 -DN=4 | sc rc20 --reductions none | verdict=verified executions=24
// run: -std=c++20 -DN=12 | rc20 --reductions all | verdict=verified executions=1
// run: -std=c++20 -DN=3 -DPHASES=4 | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=1
// run: -std=c++20 -DN=3 -DPHASES=2 | rc20 --reductions none | verdict=verified executions=1296
// run: -std=c++20 -DN=3 -DFUNCTION | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=3
// run: -std=c++20 -DN=3 -DFUNCTION | sc rc20 --reductions none | verdict=verified executions=6
// run: -std=c++20 -DN=3 -DFUNCTION -DBUG_DURING | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -std=c++20 -DN=3 -DBUG_BEFORE | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -std=c++20 -DN=3 -DBUG_BEFORE | rc11 rc20 --reductions none | verdict=violation violation=race
// run: -std=c++20 -DN=4 -DCOUNT=2 -DALONE | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=lock-misuse
// run: -std=c++20 -DN=4 -DCOUNT=2 -DALONE | sc rc20 --reductions none | verdict=violation violation=lock-misuse
// run: -std=c++20 -DN=2 -DCOUNT=3 -DALONE | sc rc20 --reductions all | verdict=violation violation=deadlock executions=0
// run: -std=c++20 -DN=3 -DTOKEN | sc rc20 --reductions all | verdict=verified executions=6
// run: -std=c++20 -DN=2 -DTWICE | sc rc20 --reductions all | verdict=verified
// run: -std=c++20 -DN=2 | xmm --reductions all | verdict=verified executions=2
// run: -std=c++20 -DN=2 | sc --engine interleaving --reductions all | verdict=verified
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

#ifndef COUNT
#define COUNT N
#endif
#ifndef PHASES
#define PHASES 1
#endif

static int come[N], sum;

struct Sum {
  void operator()() noexcept {
    sum = 0; //! race
    for (int value : come)
      sum += value;
  }
};

#ifdef FUNCTION
using Barrier = std::barrier<Sum>;
#else
using Barrier = std::barrier<>;
#endif

static void run(Barrier &barrier, int me) {
  for (int phase = 1; phase <= PHASES; phase++) {
#ifdef ALONE
    barrier.arrive_and_wait(); //! deadlock lock-misuse
#else
#ifdef BUG_BEFORE
    if (me == 0)
      barrier.arrive_and_wait();
#endif
    come[me] = phase; //! race
#ifdef TOKEN
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
#elif defined BUG_BEFORE
    if (me != 0)
      barrier.arrive_and_wait();
#else
    barrier.arrive_and_wait();
#endif
#ifdef BUG_DURING
    if (me == 0)
      sum = 0; //! race
#endif
#ifdef BUG_DURING
    // Another thread may be about to set it.
    int seen = sum; //! race
    assert(seen >= 0);
#elif defined FUNCTION
    assert(sum == N * phase);
#else
    for (int value : come) //! race
      assert(value == phase);
#endif
#if PHASES > 1
    barrier.arrive_and_wait();
#endif
#endif
  }
}

static void once() {
  Barrier barrier(COUNT);
  std::vector<std::thread> threads;
  for (int i = 0; i < N; i++)
    threads.emplace_back(run, std::ref(barrier), i);
  for (std::thread &thread : threads)
    thread.join(); //! deadlock
}

int main() {
  once();
#ifdef TWICE
  once();
#endif
}
