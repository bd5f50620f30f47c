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

/* `set_value_at_thread_exit`: with the destructors of thread-local variables. */
extern "C" int __cxa_thread_atexit(void (*)(void *), void *, void *) noexcept;

void __at_thread_exit(__at_thread_exit_elt *element) {
  __cxa_thread_atexit(element->_M_cb, element, nullptr);
}

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = &_Make_ready::_S_run;
  __at_thread_exit(this);
}

void __future_base::_State_baseV2::_Make_ready::_S_run(void *pointer) {
  _Make_ready *ready = static_cast<_Make_ready *>(pointer);
  if (auto state = ready->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
  delete ready;
}

void __throw_future_error(int code) { throw future_error((future_errc)code); }

} // namespace std

#endif
