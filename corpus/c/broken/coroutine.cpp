// refuse: -std=c++20 | rc20
// about: coroutines are refused by name
#include <coroutine>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

static Task twice() {
  co_await std::suspend_never{}; //! refuse
}

int main() {
  twice();
}
