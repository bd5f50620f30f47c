/* std::barrier (C++20), instead of libstdc++'s: as pthread_barrier_t in raveler_libc.h, with phases that can be left, arrivals
   that do not wait, and a function for the end of each phase. */
#ifndef RAVELER_BARRIER_H
#define RAVELER_BARRIER_H

#include <bits/c++config.h>
#include <array>
#include <thread>
#include <type_traits>
#include <utility>
#include <version>

#ifndef __cpp_lib_barrier
#define __cpp_lib_barrier 201907L
#endif

extern "C" {
void __rv_initialise(void *);
void __rv_destroy(void *);
void __rv_meet(void *);
void __rv_misuse(const char *);
void __rv_refuse(const char *);
void __rv_wait(const void *);
void __rv_drop(void);
int __rv_gathers(const void *);
void __rv_enumerate(const void *);
void __rv_arrive(const void *, unsigned);
int __rv_pass(const void *, unsigned);
}

namespace std {

struct __empty_completion {
  void operator()() noexcept {}
};

template <typename Completion = __empty_completion> class barrier {
  /* How many have come, how many of these leave, how many are awaited, which phase it is: sixteen bits each. */
  mutable unsigned long state;
  /* What is written of a phase that is complete: words in turn, since phases do not synchronise with each other. */
  mutable unsigned full[5];
  /* How many are awaited at first. */
  unsigned count;
  /* How many phases are complete, where threads come in no order and there is a function. */
  unsigned complete_phases;
  Completion completion;

  static constexpr unsigned long part(unsigned long state, unsigned nth) { return state >> 16 * nth & 0xffff; }

  /* All meet, in no order; the result is 1 in one of them. */
  static unsigned gather(const void *place, unsigned count) {
    __rv_arrive(place, count);
    return __rv_pass(place, count);
  }

  void complete() noexcept { completion(); }

  /* Some come, and perhaps leave; the result is the phase. An arrival is ordered before the function of its phase, and not
     before other arrivals. */
  unsigned come(unsigned long some, unsigned long leaving) {
    unsigned long before = __atomic_fetch_add(&state, some | leaving << 16, __ATOMIC_RELEASE);
    unsigned long here = part(before, 0), awaited = part(before, 2);
    unsigned phase = (unsigned)part(before, 3) + 1;
    if (!awaited)
      __rv_misuse("a thread comes to a barrier that waits for none");
    /* Between the last one and the end of its phase nobody is awaited. */
    if (here >= awaited)
      __rv_misuse("more threads come to a barrier than it waits for: this one may come before the phase has ended");
    if (some > awaited - here)
      __rv_misuse("more arrive at a barrier than it waits for");
    if (phase == 0xffff)
      __rv_refuse("more than 65,534 phases of a barrier");
    if (here + some == awaited) {
      /* Its own update stands behind those of the others. A fence would acquire more: what the thread read before. */
      (void)__atomic_load_n(&state, __ATOMIC_ACQUIRE);
      complete();
      unsigned long left = awaited - part(before, 1) - leaving;
      __atomic_store_n(&state, (unsigned long)phase << 48 | left << 32, __ATOMIC_RELAXED);
      tell(phase);
    }
    return phase;
  }

  /* A phase is complete. */
  void tell(unsigned phase) {
    unsigned *word = &full[phase % 5];
    if (phase <= 5)
      __atomic_store_n(word, phase, __ATOMIC_RELEASE);
    else if (__atomic_exchange_n(word, phase, __ATOMIC_RELEASE) != phase - 5)
      __rv_drop();
  }

  void await(unsigned phase) const {
    unsigned *word = &full[phase % 5];
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) < phase)
      __rv_wait(word);
  }

public:
  class arrival_token final {
    friend class barrier;
    unsigned phase;
    explicit arrival_token(unsigned phase) noexcept : phase(phase) {}

  public:
    arrival_token(arrival_token &&) = default;
    arrival_token &operator=(arrival_token &&) = default;
    ~arrival_token() = default;
  };

  static constexpr ptrdiff_t max() noexcept { return 0xffff; }

  explicit barrier(ptrdiff_t expected, Completion function = Completion()) : completion(std::move(function)) {
    if (expected < 0)
      __rv_misuse("a barrier that waits for fewer than none");
    if (expected > max())
      __rv_refuse("a barrier that waits for more than 65,535");
    __rv_initialise(this);
    count = (unsigned)expected;
    __atomic_store_n(&state, (unsigned long)expected << 32, __ATOMIC_RELAXED);
    __atomic_store_n(&complete_phases, 0, __ATOMIC_RELAXED);
    for (unsigned &word : full)
      __atomic_store_n(&word, 0, __ATOMIC_RELAXED);
  }

  ~barrier() {
    __rv_meet(this);
    __rv_destroy(this);
  }

  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;

  [[nodiscard]] arrival_token arrive(ptrdiff_t some = 1) {
    __rv_meet(this);
    __rv_enumerate(this);
    if (some <= 0)
      __rv_misuse("none arrive at a barrier");
    return arrival_token(come((unsigned long)some, 0));
  }

  void wait(arrival_token &&token) const {
    __rv_meet(const_cast<barrier *>(this));
    await(token.phase);
  }

  void arrive_and_wait() {
    __rv_meet(this);
    if (count < 2 || !__rv_gathers(this)) {
      await(come(1, 0));
      return;
    }
    if constexpr (is_same_v<Completion, __empty_completion>) {
      gather(this, count);
      /* The call is not over when others go on. */
      (void)__atomic_load_n(&full[0], __ATOMIC_RELAXED);
    } else {
      /* Nobody writes this between the end of the last phase and the arrival of all. What the function stores may
         still be on its way when the thread that called it goes on, so it tells the others by a store, too. */
      unsigned phase = __atomic_load_n(&complete_phases, __ATOMIC_RELAXED) + 1;
      if (gather(this, count)) {
        complete();
        __atomic_store_n(&complete_phases, phase, __ATOMIC_RELAXED);
        tell(phase);
      }
      await(phase);
    }
  }

  void arrive_and_drop() {
    __rv_meet(this);
    __rv_enumerate(this);
    (void)come(1, 1);
  }
};

} // namespace std

#endif
