/* std::latch (C++20), instead of libstdc++'s: where each thread comes by arrive_and_wait and in no other way, in no order, as at
   a barrier. */
#ifndef RAVELER_LATCH_H
#define RAVELER_LATCH_H

#include <atomic>
#include <version>

#ifndef __cpp_lib_latch
#define __cpp_lib_latch 201907L
#endif

extern "C" {
void __rv_misuse(const char *);
void __rv_wait(const void *);
int __rv_gathers_once(const void *);
void __rv_enumerate_once(const void *);
void __rv_arrive(const void *, unsigned);
int __rv_pass(const void *, unsigned);
}

namespace std {

class latch {
  mutable int left;
  int count;

  static unsigned gather(const void *place, unsigned count) {
    __rv_arrive(place, count);
    return __rv_pass(place, count);
  }

  void subtract(ptrdiff_t some) {
    int before = __atomic_fetch_sub(&left, (int)some, __ATOMIC_RELEASE);
    if (some < 0 || some > before)
      __rv_misuse("a latch is counted down below zero");
  }

  void await() const {
    if (__atomic_load_n(&left, __ATOMIC_ACQUIRE) != 0)
      __rv_wait(&left);
  }

public:
  static constexpr ptrdiff_t max() noexcept { return 0x7fffffff; }

  constexpr explicit latch(ptrdiff_t expected) noexcept : left((int)expected), count((int)expected) {}
  ~latch() = default;
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;

  void count_down(ptrdiff_t some = 1) {
    __rv_enumerate_once(this);
    subtract(some);
  }

  bool try_wait() const noexcept {
    __rv_enumerate_once(this);
    return __atomic_load_n(&left, __ATOMIC_ACQUIRE) == 0;
  }

  void wait() const noexcept {
    __rv_enumerate_once(this);
    await();
  }

  void arrive_and_wait(ptrdiff_t some = 1) noexcept {
    if (some != 1)
      __rv_enumerate_once(this);
    if (some == 1 && count > 1 && __rv_gathers_once(this)) {
      gather(this, (unsigned)count);
      (void)__atomic_load_n(&left, __ATOMIC_RELAXED);
      return;
    }
    subtract(some);
    await();
  }
};

} // namespace std

#endif
