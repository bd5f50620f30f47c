/* What futures wait for, without the system's futex: a thread that waits looks until it sees what it waits for. Instead of
   libstdc++'s <bits/atomic_futex.h>. */
#ifndef _GLIBCXX_ATOMIC_FUTEX_H
#define _GLIBCXX_ATOMIC_FUTEX_H 1

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace std {

template <unsigned Waiter = 0x80000000> class __atomic_futex_unsigned {
  atomic<unsigned> data;

public:
  explicit __atomic_futex_unsigned(unsigned value) : data(value) {}

  unsigned _M_load(memory_order order) { return data.load(order); }

  unsigned _M_load_when_not_equal(unsigned value, memory_order order) {
    for (;;) {
      unsigned seen = data.load(order);
      if (seen != value)
        return seen;
    }
  }

  void _M_load_when_equal(unsigned value, memory_order order) {
    while (data.load(order) != value)
      ;
  }

  /* With a limit: it may come at once. */
  template <typename Time> bool _M_load_when_equal_for(unsigned value, memory_order order, const Time &) {
    return data.load(order) == value;
  }
  template <typename Time> bool _M_load_when_equal_until(unsigned value, memory_order order, const Time &) {
    return data.load(order) == value;
  }

  void _M_store_notify_all(unsigned value, memory_order order) { data.store(value, order); }
};

} // namespace std

#endif
