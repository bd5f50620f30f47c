// about: waiting beside circles of program order and reads-from, in loops; and in rounds that count (ROUNDS)
// from: loops against rounds: the same outcomes, and an execution for each number of rounds; measured
// run: -DSHAPE=1 | rc20 | verdict=verified executions=3 outcomes=0.0.0,0.1.0,1.0.0
// run: -DSHAPE=1 | xmm | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=1 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=1 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=1 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=2 | rc20 | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=2 | xmm | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 | xmm --equivalence co | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DROUNDS=3 | xmm | verdict=verified executions=6 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=6 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DORDER=memory_order_acquire | rc20 | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=2 -DORDER=memory_order_acquire | xmm | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DORDER=memory_order_acquire | xmm --equivalence co | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DORDER=memory_order_acquire -DROUNDS=3 | xmm | verdict=verified executions=6 outcomes=1.0.0,1.1.0
// run: -DSHAPE=2 -DORDER=memory_order_acquire -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=6 outcomes=1.0.0,1.1.0
// run: -DSHAPE=3 | rc20 | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=3 | xmm | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=3 | xmm --equivalence co | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=3 -DROUNDS=3 | xmm | verdict=verified executions=3 outcomes=1.0.0
// run: -DSHAPE=3 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=3 outcomes=1.0.0
// run: -DSHAPE=4 | rc20 | verdict=verified executions=3 outcomes=0.0.1,0.1.1,1.0.1
// run: -DSHAPE=4 | xmm | verdict=verified executions=4 outcomes=0.0.1,0.1.1,1.0.1,1.1.1
// run: -DSHAPE=4 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0.1,0.1.1,1.0.1,1.1.1
// run: -DSHAPE=4 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=0.0.1,0.1.1,1.0.1,1.1.1
// run: -DSHAPE=4 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=0.0.1,0.1.1,1.0.1,1.1.1
// run: -DSHAPE=5 | rc20 | verdict=verified executions=3 outcomes=0.0.0,0.1.0,1.0.0
// run: -DSHAPE=5 | xmm | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=5 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=5 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=5 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=6 | rc20 | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0
// run: -DSHAPE=6 | xmm | verdict=verified executions=8 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=6 | xmm --equivalence co | verdict=verified executions=8 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=6 -DROUNDS=3 | xmm | verdict=verified executions=24 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=6 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=24 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=7 | rc20 | verdict=verified executions=1 outcomes=0.0.0
// run: -DSHAPE=7 | xmm | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=7 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=7 -DROUNDS=3 | xmm | verdict=verified executions=36 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=7 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=36 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=8 | rc20 | verdict=verified executions=1 outcomes=1.0.0
// run: -DSHAPE=8 | xmm | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=8 | xmm --equivalence co | verdict=verified executions=2 outcomes=1.0.0,1.1.0
// run: -DSHAPE=8 -DROUNDS=3 | xmm | verdict=verified executions=18 outcomes=1.0.0,1.1.0
// run: -DSHAPE=8 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=18 outcomes=1.0.0,1.1.0
// run: -DSHAPE=9 | rc20 | verdict=verified executions=1 outcomes=2.0.0
// run: -DSHAPE=9 | xmm | verdict=verified executions=2 outcomes=2.0.0,2.1.0
// run: -DSHAPE=9 | xmm --equivalence co | verdict=verified executions=2 outcomes=2.0.0,2.1.0
// run: -DSHAPE=9 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=2.0.0,2.1.0
// run: -DSHAPE=9 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=2.0.0,2.1.0
// run: -DSHAPE=10 | rc20 | verdict=verified executions=3 outcomes=1.0.0,1.0.1,1.1.0
// run: -DSHAPE=10 | xmm | verdict=verified executions=4 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=10 | xmm --equivalence co | verdict=verified executions=4 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=10 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=10 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=11 | rc20 | verdict=verified executions=1 outcomes=1.1.0
// run: -DSHAPE=11 | xmm | verdict=verified executions=4 outcomes=1.1.0,1.1.1
// run: -DSHAPE=11 | xmm --equivalence co | verdict=verified executions=8 outcomes=1.1.0,1.1.1
// run: -DSHAPE=11 -DROUNDS=3 | xmm | verdict=verified executions=36 outcomes=1.1.0,1.1.1
// run: -DSHAPE=11 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=72 outcomes=1.1.0,1.1.1
// run: -DSHAPE=12 | rc20 | verdict=verified executions=4 outcomes=0.0.0,0.1.0,1.0.0
// run: -DSHAPE=12 | xmm | verdict=verified executions=8 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=12 | xmm --equivalence co | verdict=verified executions=8 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=12 -DROUNDS=3 | xmm | verdict=verified executions=24 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=12 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=24 outcomes=0.0.0,0.1.0,1.0.0,1.1.0
// run: -DSHAPE=13 | rc20 | verdict=verified executions=4 outcomes=1.0.0,1.0.1
// run: -DSHAPE=13 | xmm | verdict=verified executions=8 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=13 | xmm --equivalence co | verdict=verified executions=8 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=13 -DROUNDS=3 | xmm | verdict=verified executions=12 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
// run: -DSHAPE=13 -DROUNDS=3 | xmm --equivalence co | verdict=verified executions=12 outcomes=1.0.0,1.0.1,1.1.0,1.1.1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);
void rv_observe(const char *, long);

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_relaxed)

#ifdef ROUNDS
// At most so many rounds, told from each other by their number: none of them is a wait.
#define UNTIL(seen)                         \
  for (int round = 0; !(seen); round++) {   \
    __VERIFIER_assume(round + 1 < ROUNDS);  \
  }
#else
#define UNTIL(seen) while (!(seen));
#endif

static atomic_int x, y, flag, other;
static int a, b, c;

#if SHAPE == 1
// Before the circle.
static void first(void) {
  UNTIL(LOAD(flag))
  a = LOAD(x);
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
}
static void third(void) { STORE(flag, 1); }
#elif SHAPE == 2
// The read of the circle is the one that waits. If it acquires, the other thread can still be reordered.
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static void first(void) {
  int seen;
  UNTIL(seen = atomic_load_explicit(&x, ORDER))
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
}
static void third(void) {}
#elif SHAPE == 3
// The read of the circle waits, and the value depends on what was read: nothing may come out of thin air.
static void first(void) {
  int seen;
  UNTIL(seen = LOAD(x))
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, b ? 2 : 1);
}
static void third(void) {}
#elif SHAPE == 4
// After the circle.
static void first(void) {
  a = LOAD(x);
  STORE(y, 1);
  UNTIL(atomic_load_explicit(&flag, memory_order_acquire))
  c = LOAD(other);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
  STORE(other, 1);
  atomic_store_explicit(&flag, 1, memory_order_release);
}
static void third(void) {}
#elif SHAPE == 5
// Between read and write of the circle. That the wait acquires does not order the read before it.
static void first(void) {
  a = LOAD(x);
  UNTIL(atomic_load_explicit(&flag, memory_order_acquire))
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
}
static void third(void) { STORE(flag, 1); }
#elif SHAPE == 6
// A lock without orders around the circle.
static void take(void) {
  int free;
  UNTIL((free = 0, atomic_compare_exchange_strong_explicit(&flag, &free, 1, memory_order_relaxed,
                                                           memory_order_relaxed)))
}
static void first(void) {
  take();
  a = LOAD(x);
  STORE(y, 1);
  STORE(flag, 0);
}
static void second(void) {
  take();
  b = LOAD(y);
  STORE(x, 1);
  STORE(flag, 0);
}
static void third(void) {}
#elif SHAPE == 7
// Both threads wait for each other in the middle: a meeting without orders.
static void first(void) {
  a = LOAD(x);
  STORE(flag, 1);
  UNTIL(LOAD(other))
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(other, 1);
  UNTIL(LOAD(flag))
  STORE(x, 1);
}
static void third(void) {}
#elif SHAPE == 8
// A round reads two locations.
static void first(void) {
  int seen;
  UNTIL((seen = LOAD(x)) + LOAD(flag) >= 2)
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
}
static void third(void) { STORE(flag, 1); }
#elif SHAPE == 9
// For the second of two values: the first one makes a round that comes to nothing.
static void first(void) {
  int seen;
  UNTIL((seen = LOAD(x)) == 2)
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  b = LOAD(y);
  STORE(x, 1);
  STORE(x, 2);
}
static void third(void) {}
#elif SHAPE == 10
// In a circle of three threads.
static void first(void) {
  int seen;
  UNTIL(seen = LOAD(flag))
  a = seen;
  STORE(x, seen);
}
static void second(void) {
  b = LOAD(x);
  STORE(y, 1);
}
static void third(void) {
  c = LOAD(y);
  STORE(flag, 1);
}
#elif SHAPE == 11
// Two threads wait for each other's stores, one of which somebody else makes, too.
static void first(void) {
  int seen;
  UNTIL(seen = LOAD(x))
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  int seen;
  UNTIL(seen = LOAD(y))
  b = seen;
  STORE(x, 1);
}
static void third(void) {
  c = LOAD(y);
  STORE(x, 1);
}
#elif SHAPE == 12
// Tickets, without orders.
static void enter(void) {
  int turn = atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
  UNTIL(LOAD(other) == turn)
}
static void leave(void) { atomic_fetch_add_explicit(&other, 1, memory_order_relaxed); }
static void first(void) {
  enter();
  a = LOAD(x);
  STORE(y, 1);
  leave();
}
static void second(void) {
  enter();
  b = LOAD(y);
  STORE(x, 1);
  leave();
}
static void third(void) {}
#elif SHAPE == 13
// Rounds with a store, which the other thread reads: the first one is none that waits.
static void first(void) {
  int seen, rounds = 0;
  UNTIL(((rounds ? 0 : (STORE(flag, 1), rounds = 1)), seen = LOAD(x)))
  a = seen;
  STORE(y, 1);
}
static void second(void) {
  c = LOAD(flag);
  b = LOAD(y);
  STORE(x, 1);
}
static void third(void) {}
#endif

static void *run_first(void *arg) {
  first();
  return arg;
}
static void *run_second(void *arg) {
  second();
  return arg;
}
static void *run_third(void *arg) {
  third();
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, run_first, NULL);
  pthread_create(&t[1], NULL, run_second, NULL);
  pthread_create(&t[2], NULL, run_third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  rv_observe("a", a);
  rv_observe("b", b);
  rv_observe("c", c);
}
