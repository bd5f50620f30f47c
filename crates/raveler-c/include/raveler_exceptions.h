/* Exceptions, types at run time, and what the C++ library has compiled elsewhere for them. Included by raveler_libc.h where
   a C++ program is compiled with exceptions. Unwinding itself is the checker's affair (run/exceptions.rs): __rv_raise. */
/* provides: __cxa_* __dynamic_cast _ZNSt9exception* _ZNKSt9exception* _ZNSt13bad_exception* _ZNKSt13bad_exception* */
/* provides: _ZNSt9bad_alloc* _ZNKSt9bad_alloc* _ZNSt20bad_array_new_length* _ZNKSt20bad_array_new_length* */
/* provides: _ZNSt8bad_cast* _ZNKSt8bad_cast* _ZNSt10bad_typeid* _ZNKSt10bad_typeid* _ZNSt16nested_exception* */
/* provides: _ZNSt17bad_function_call* _ZNKSt17bad_function_call* _ZNSt12bad_weak_ptr* _ZNKSt12bad_weak_ptr* */
/* provides: _ZNSt11logic_error* _ZNKSt11logic_error* _ZNSt12domain_error* _ZNSt16invalid_argument* */
/* provides: _ZNSt12length_error* _ZNSt12out_of_range* _ZNSt13runtime_error* _ZNKSt13runtime_error* */
/* provides: _ZNSt11range_error* _ZNSt14overflow_error* _ZNSt15underflow_error* _ZNSt12system_error* */
/* provides: _ZNSt3_V2* _ZNKSt3_V2* _ZNKSt10error_code* _ZNSt12__cow_string* _ZNSt15__exception_ptr* */
/* provides: _ZNKSt15__exception_ptr* _ZSt17current_exceptionv _ZSt17rethrow_exception* */
#ifndef RAVELER_EXCEPTIONS_H
#define RAVELER_EXCEPTIONS_H

#include <bits/shared_ptr.h>
#include <bits/std_function.h>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

extern "C" {
/* Begin to unwind with an exception of this type; with a null pointer: go on ending the thread. */
[[noreturn]] void __rv_raise(void *, const void *);
/* The type of the handler in which the exception landed; it is caught now, if the second says so. */
const std::type_info *__rv_caught_as(void *, int);
/* Which kind of type: 2 a class without bases, 3 with one, 4 with others, 5 a pointer (types.rs). */
int __rv_type_kind(const void *);
/* Something is wrong. */
[[noreturn]] void __rv_wrong(const char *);
}

/* What stands before every exception. */
struct __rv_exception {
  const std::type_info *type;
  void (*destroy)(void *);
  long references;
  long unused;
};

/* An exception that is being handled; the same one can be handled twice. */
struct __rv_handled {
  __rv_handled *outer;
  void *exception;
  bool rethrown;
};

static __thread __rv_handled *__rv_handling;
static __thread unsigned __rv_uncaught;

static inline __rv_exception *__rv_of(void *exception) { return (__rv_exception *)exception - 1; }

static void __rv_retain(void *exception) {
  __atomic_fetch_add(&__rv_of(exception)->references, 1, __ATOMIC_RELAXED);
}

static void __rv_release(void *exception) {
  __rv_exception *e = __rv_of(exception);
  if (__atomic_sub_fetch(&e->references, 1, __ATOMIC_ACQ_REL) == 0) {
    if (e->destroy)
      e->destroy(exception);
    free(e);
  }
}

static inline const std::type_info *const *__rv_words(const std::type_info *type) {
  return (const std::type_info *const *)type;
}

/* The bases of a class with several, or with a virtual one. */
struct __rv_base {
  const std::type_info *type;
  long flags;
};

struct __rv_bases {
  const void *table, *name;
  unsigned flags, count;
  __rv_base base[1];
};

/* Where in an object a base is. */
static const char *__rv_part(const char *object, long flags) {
  long offset = flags >> 8;
  return object + (flags & 1 ? *(const long *)(*(const char *const *)object + offset) : offset);
}

/* Where an object of type `from` has its base `to`; a null pointer if it has none. */
static const char *__rv_upcast(const char *object, const std::type_info *from, const std::type_info *to) {
  if (from == to)
    return object;
  int kind = __rv_type_kind(from);
  if (kind == 3)
    return __rv_upcast(object, __rv_words(from)[2], to);
  if (kind == 4) {
    const __rv_bases *bases = (const __rv_bases *)from;
    for (unsigned i = 0; i < bases->count; i++)
      if (const char *found = __rv_upcast(__rv_part(object, bases->base[i].flags), bases->base[i].type, to))
        return found;
  }
  return nullptr;
}

/* What a handler for the type `as` is given. */
static void *__rv_adjusted(void *exception, const std::type_info *as) {
  const std::type_info *type = __rv_of(exception)->type;
  if (__rv_type_kind(type) == 5) {
    char *pointer = *(char **)exception;
    if (pointer && as && as != type && __rv_type_kind(as) == 5)
      if (const char *base = __rv_upcast(pointer, __rv_words(type)[3], __rv_words(as)[3]))
        return (void *)base;
    return pointer;
  }
  if (!as || as == type)
    return exception;
  if (__rv_type_kind(as) == 5)
    return nullptr; /* std::nullptr_t */
  const char *base = __rv_upcast((const char *)exception, type, as);
  return base ? (void *)base : exception;
}

namespace __cxxabiv1 {
extern "C" {

void *__cxa_allocate_exception(size_t size) noexcept {
  __rv_exception *e = (__rv_exception *)malloc(sizeof *e + size);
  return e + 1;
}

void __cxa_free_exception(void *exception) noexcept { free(__rv_of(exception)); }

__cxa_refcounted_exception *__cxa_init_primary_exception(void *exception, std::type_info *type,
                                                         void (*destroy)(void *)) noexcept {
  __rv_exception *e = __rv_of(exception);
  e->type = type;
  e->destroy = destroy;
  e->references = 0;
  return nullptr;
}

void __cxa_throw(void *exception, std::type_info *type, void (*destroy)(void *)) {
  __cxa_init_primary_exception(exception, type, destroy);
  __rv_of(exception)->references = 1;
  __rv_uncaught++;
  __rv_raise(exception, type);
}

void *__cxa_get_exception_ptr(void *exception) noexcept {
  return exception ? __rv_adjusted(exception, __rv_caught_as(exception, 0)) : nullptr;
}

void *__cxa_begin_catch(void *exception) noexcept {
  __rv_handled *handled = (__rv_handled *)malloc(sizeof *handled);
  handled->outer = __rv_handling;
  handled->exception = exception;
  handled->rethrown = false;
  __rv_handling = handled;
  const std::type_info *as = __rv_caught_as(exception, 1);
  if (!exception)
    return nullptr;
  __rv_uncaught--;
  return __rv_adjusted(exception, as);
}

void __cxa_end_catch() {
  __rv_handled *handled = __rv_handling;
  void *exception = handled->exception;
  __rv_handling = handled->outer;
  bool rethrown = handled->rethrown;
  free(handled);
  if (exception)
    __rv_release(exception);
  else if (!rethrown)
    __rv_wrong("`pthread_exit` is caught by `catch (...)` and not thrown on");
}

void __cxa_rethrow() {
  __rv_handled *handled = __rv_handling;
  if (!handled)
    __rv_wrong("`throw;` where no exception is handled: `std::terminate` is called");
  handled->rethrown = true;
  if (!handled->exception)
    __rv_raise(nullptr, nullptr);
  __rv_retain(handled->exception);
  __rv_uncaught++;
  __rv_raise(handled->exception, __rv_of(handled->exception)->type);
}

std::type_info *__cxa_current_exception_type() noexcept {
  __rv_handled *handled = __rv_handling;
  return handled && handled->exception ? (std::type_info *)__rv_of(handled->exception)->type : nullptr;
}

void __cxa_call_unexpected(void *) {
  __rv_wrong("an exception leaves a function that may not throw it: `std::unexpected` is called");
}

void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
void __cxa_deleted_virtual() { __rv_wrong("a deleted virtual function is called"); }

void __cxa_guard_abort(__guard *guard) noexcept { __atomic_store_n((char *)guard + 1, 0, __ATOMIC_RELEASE); }

/* All parts of an object that have the type `wanted`, and are public: how many, and the last. `over` receives the last of
   them that has the part `below` of type `type` as a public base. */
struct __rv_search {
  const std::type_info *wanted, *type;
  const char *below;
  const char *found, *over;
  unsigned count, overs;
};

static bool __rv_has(const char *object, const std::type_info *from, const char *part, const std::type_info *to) {
  if (from == to && object == part)
    return true;
  int kind = __rv_type_kind(from);
  if (kind == 3)
    return __rv_has(object, __rv_words(from)[2], part, to);
  if (kind == 4) {
    const __rv_bases *bases = (const __rv_bases *)from;
    for (unsigned i = 0; i < bases->count; i++)
      if (bases->base[i].flags & 2 &&
          __rv_has(__rv_part(object, bases->base[i].flags), bases->base[i].type, part, to))
        return true;
  }
  return false;
}

static void __rv_look(__rv_search *s, const char *object, const std::type_info *type, bool is_public) {
  if (type == s->wanted) {
    /* A virtual base is met more than once. */
    if (is_public && s->found != object) {
      s->count++;
      s->found = object;
    }
    if (s->over != object && __rv_has(object, type, s->below, s->type)) {
      s->overs++;
      s->over = object;
    }
    return;
  }
  int kind = __rv_type_kind(type);
  if (kind == 3)
    return __rv_look(s, object, __rv_words(type)[2], is_public);
  if (kind == 4) {
    const __rv_bases *bases = (const __rv_bases *)type;
    for (unsigned i = 0; i < bases->count; i++) {
      long flags = bases->base[i].flags;
      __rv_look(s, __rv_part(object, flags), bases->base[i].type, is_public && flags & 2);
    }
  }
}

void *__dynamic_cast(const void *object, const __class_type_info *from, const __class_type_info *to, ptrdiff_t) {
  const char *const *table = *(const char *const *const *)object;
  const char *whole = (const char *)object + ((const long *)table)[-2];
  const std::type_info *type = ((const std::type_info *const *)table)[-1];
  __rv_search s = {to, from, (const char *)object, nullptr, nullptr, 0, 0};
  __rv_look(&s, whole, type, true);
  if (s.overs == 1)
    return (void *)s.over;
  /* Else across: to the only part of this type, if `object` is a public part of the whole. */
  if (s.overs == 0 && s.count == 1 && __rv_has(whole, type, (const char *)object, from))
    return (void *)s.found;
  return nullptr;
}
}
} // namespace __cxxabiv1

namespace std {

int uncaught_exceptions() noexcept { return (int)__rv_uncaught; }
bool uncaught_exception() noexcept { return __rv_uncaught != 0; }

exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept {}
const char *bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept {}
const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept {}
const char *bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept {}
const char *bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept {}
const char *bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_function_call::~bad_function_call() noexcept {}
const char *bad_function_call::what() const noexcept { return "bad_function_call"; }
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }
nested_exception::~nested_exception() noexcept {}

/* The text of an exception, which copies do not share here. */
static const char *__rv_text(const char *text, size_t size) {
  char *copy = (char *)malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    copy[i] = text[i];
  copy[size] = 0;
  return copy;
}

static size_t __rv_length(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

#if _GLIBCXX_USE_CXX11_ABI
__cow_string::__cow_string() : _M_p(__rv_text("", 0)) {}
__cow_string::__cow_string(const string &text) : _M_p(__rv_text(text.c_str(), text.size())) {}
__cow_string::__cow_string(const char *text, size_t size) : _M_p(__rv_text(text, size)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(__rv_text(other._M_p, __rv_length(other._M_p))) {}
__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(other._M_p) { other._M_p = __rv_text("", 0); }
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
  const char *old = _M_p;
  _M_p = __rv_text(other._M_p, __rv_length(other._M_p));
  free((void *)old);
  return *this;
}
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
  const char *old = _M_p;
  _M_p = other._M_p;
  other._M_p = old;
  return *this;
}
__cow_string::~__cow_string() { free((void *)_M_p); }

#define RV_ROOT(name)                                                                                                 \
  name::name(const string &text) : _M_msg(text) {}                                                                    \
  name::name(const char *text) : _M_msg(text, __rv_length(text)) {}                                                   \
  name::name(const name &other) noexcept : exception(other), _M_msg(other._M_msg) {}                                  \
  name::name(name &&other) noexcept : _M_msg(static_cast<__cow_string &&>(other._M_msg)) {}                           \
  name &name::operator=(const name &other) noexcept {                                                                 \
    _M_msg = other._M_msg;                                                                                            \
    return *this;                                                                                                     \
  }                                                                                                                   \
  name &name::operator=(name &&other) noexcept {                                                                      \
    _M_msg = static_cast<__cow_string &&>(other._M_msg);                                                              \
    return *this;                                                                                                     \
  }                                                                                                                   \
  name::~name() noexcept {}                                                                                           \
  const char *name::what() const noexcept { return _M_msg._M_p; }
#define RV_LEAF(name, root)                                                                                           \
  name::name(const string &text) : root(text) {}                                                                      \
  name::name(const char *text) : root(text) {}                                                                        \
  name::~name() noexcept {}

RV_ROOT(logic_error)
RV_LEAF(domain_error, logic_error)
RV_LEAF(invalid_argument, logic_error)
RV_LEAF(length_error, logic_error)
RV_LEAF(out_of_range, logic_error)
RV_ROOT(runtime_error)
RV_LEAF(range_error, runtime_error)
RV_LEAF(overflow_error, runtime_error)
RV_LEAF(underflow_error, runtime_error)
#endif

system_error::~system_error() noexcept {}

inline namespace _V2 {
error_category::~error_category() {}
error_condition error_category::default_error_condition(int code) const noexcept {
  return error_condition(code, *this);
}
bool error_category::equivalent(int code, const error_condition &condition) const noexcept {
  return default_error_condition(code) == condition;
}
bool error_category::equivalent(const error_code &code, int condition) const noexcept {
  return *this == code.category() && code.value() == condition;
}
__cow_string error_category::_M_message(int code) const { return __cow_string(message(code)); }
} // namespace _V2

struct __rv_category final : error_category {
  const char *text;
  explicit constexpr __rv_category(const char *name) : text(name) {}
  const char *name() const noexcept override { return text; }
  string message(int) const override { return text; }
};

[[clang::no_destroy]] static const __rv_category __rv_generic("generic"), __rv_system("system");

inline namespace _V2 {
const error_category &generic_category() noexcept { return __rv_generic; }
const error_category &system_category() noexcept { return __rv_system; }
} // namespace _V2

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_logic_error(const char *text) { throw logic_error(text); }
void __throw_domain_error(const char *text) { throw domain_error(text); }
void __throw_invalid_argument(const char *text) { throw invalid_argument(text); }
void __throw_length_error(const char *text) { throw length_error(text); }
void __throw_out_of_range(const char *text) { throw out_of_range(text); }
void __throw_out_of_range_fmt(const char *text, ...) { throw out_of_range(text); }
void __throw_runtime_error(const char *text) { throw runtime_error(text); }
void __throw_range_error(const char *text) { throw range_error(text); }
void __throw_overflow_error(const char *text) { throw overflow_error(text); }
void __throw_underflow_error(const char *text) { throw underflow_error(text); }
void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }
void __throw_bad_function_call() { throw bad_function_call(); }

namespace __exception_ptr {
exception_ptr::exception_ptr(void *exception) noexcept : _M_exception_object(exception) { _M_addref(); }
void exception_ptr::_M_addref() noexcept {
  if (_M_exception_object)
    __rv_retain(_M_exception_object);
}
void exception_ptr::_M_release() noexcept {
  if (_M_exception_object)
    __rv_release(_M_exception_object);
  _M_exception_object = nullptr;
}
void *exception_ptr::_M_get() const noexcept { return _M_exception_object; }
const type_info *exception_ptr::__cxa_exception_type() const noexcept {
  return _M_exception_object ? __rv_of(_M_exception_object)->type : nullptr;
}
} // namespace __exception_ptr

exception_ptr current_exception() noexcept {
  __rv_handled *handled = __rv_handling;
  return handled && handled->exception ? exception_ptr(handled->exception) : exception_ptr();
}

void rethrow_exception(exception_ptr pointer) {
  void *exception = pointer._M_get();
  if (!exception)
    __rv_wrong("`std::rethrow_exception` of a null pointer");
  __rv_retain(exception);
  __rv_uncaught++;
  __rv_raise(exception, __rv_of(exception)->type);
}

} // namespace std

#endif
