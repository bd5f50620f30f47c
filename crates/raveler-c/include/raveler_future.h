/* What the C++ library has compiled elsewhere for futures. Included by raveler_libc.h for programs that use them. */
#ifndef RAVELER_FUTURE_H
#define RAVELER_FUTURE_H

#include <future>

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

struct __rv_future_category final : error_category {
  const char *name() const noexcept override { return "future"; }
  string message(int code) const override {
    switch ((future_errc)code) {
    case future_errc::promise_already_satisfied:
      return "Promise already satisfied";
    case future_errc::future_already_retrieved:
      return "Future already retrieved";
    case future_errc::no_state:
      return "No associated state";
    case future_errc::broken_promise:
      return "Broken promise";
    }
    return "Unknown error";
  }
};

static const __rv_future_category __rv_of_futures;

const error_category &future_category() noexcept { return __rv_of_futures; }

future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }

void __throw_future_error(int code) { throw future_error((future_errc)code); }

} // namespace std

#endif
