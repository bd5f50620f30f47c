// about: exceptions of the library: of containers, functions, weak pointers, optionals, variants; nested ones
// from: by hand
// run: | sc rc11 | verdict=verified executions=1
// run: -DUNSEEN | sc rc11 | verdict=violation violation=other
#include <exception>
#include <stdexcept>
#include <string>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <any>
#include <map>
int main() {
  auto p = std::make_exception_ptr(std::domain_error("d"));
  try {
    std::rethrow_exception(p);
  } catch (const std::logic_error &e) {
    assert(std::string(e.what()) == "d");
  }
  try {
    try {
      throw 1;
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception &e) {
    try {
      std::rethrow_if_nested(e);
      assert(false);
    } catch (int i) {
      assert(i == 1);
    }
  }
  std::function<void()> none;
  try {
    none();
    assert(false);
  } catch (const std::bad_function_call &) {
  }
  std::weak_ptr<int> w;
  try {
    std::shared_ptr<int> s(w);
    assert(false);
  } catch (const std::bad_weak_ptr &) {
  }
  std::optional<int> o;
  try {
    (void)o.value();
    assert(false);
  } catch (const std::bad_optional_access &e) {
    assert(e.what()[0] == 'b');
  }
  std::variant<int, char> v = 'x';
  try {
    (void)std::get<int>(v);
    assert(false);
  } catch (const std::bad_variant_access &) {
  }
  std::any a = 5;
  try {
    (void)std::any_cast<char>(a);
    assert(false);
  } catch (const std::bad_any_cast &) {
  }
  std::map<int, int> m;
  try {
    (void)m.at(3);
    assert(false);
  } catch (const std::out_of_range &) {
  }
  try {
    (void)std::string("abc").substr(7);
    assert(false);
  } catch (const std::out_of_range &) {
  }
#ifdef UNSEEN
  (void)m.at(4); //! other
#endif
}
