/* What takes the place of parts of libstdc++. Included before everything else in C++ programs. */
#if defined __cplusplus && !defined RAVELER_CXX_H
#define RAVELER_CXX_H

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
/* The functions of std::string are made from their templates, not taken from the binary part of the library. */
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif

/* Waiting for atomics in C++20, without the system's futex: who waits looks until it sees what it waits for. Instead of
   <bits/atomic_wait.h> and <bits/atomic_timed_wait.h>. */
#if __cplusplus > 201703L
#include <version>

#if defined _GLIBCXX_RELEASE && _GLIBCXX_RELEASE >= 11 && _GLIBCXX_RELEASE <= 14
#define _GLIBCXX_ATOMIC_WAIT_H 1
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1
#define __cpp_lib_atomic_wait 201907L

#include <bits/c++config.h>
#include <bits/chrono.h>
#include <bits/gthr.h>

namespace std {
namespace __detail {
using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;
inline void __thread_yield() noexcept {}
inline void __thread_relax() noexcept {}
template <typename Test> bool __atomic_spin(Test &test) noexcept { return test(); }
} // namespace __detail

template <typename T> inline constexpr bool __platform_wait_uses_type = sizeof(T) == 4;

template <typename T, typename Look> void __atomic_wait_address_v(const T *, T old, Look look) noexcept {
  for (;;) {
    T now = look();
    if (__builtin_memcmp(&now, &old, sizeof(T)) != 0)
      return;
  }
}

template <typename T, typename Test> void __atomic_wait_address(const T *, Test test) noexcept {
  while (!test())
    ;
}

template <typename Test> void __atomic_wait_address_bare(const __detail::__platform_wait_t *, Test test) noexcept {
  while (!test())
    ;
}

template <typename T> void __atomic_notify_address(const T *, bool) noexcept {}
inline void __atomic_notify_address_bare(const __detail::__platform_wait_t *, bool) noexcept {}

/* With a limit: it may come at once. */
template <typename T, typename Test, typename Time>
bool __atomic_wait_address_until(const T *, Test test, const Time &) noexcept {
  return test();
}
template <typename T, typename Test, typename Time>
bool __atomic_wait_address_for(const T *, Test test, const Time &) noexcept {
  return test();
}
template <typename Test, typename Time>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t *, Test test, const Time &) noexcept {
  return test();
}
template <typename Test, typename Time>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t *, Test test, const Time &) noexcept {
  return test();
}
} // namespace std
#endif
#endif
#endif
