/* Functions of the C library in C, for programs that call them. Included before the program's own headers. */
#ifndef RAVELER_LIBC_H
#define RAVELER_LIBC_H

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef __cplusplus
#include <threads.h>
#endif

#ifdef __cplusplus
#define RV_NOEXCEPT noexcept
extern "C" {
#else
#define RV_NOEXCEPT
#endif

#define RV_WEAK __attribute__((weak))

#ifdef __cplusplus
#define _Bool bool
#endif
#include "raveler_strings.h"

RV_WEAK size_t strlen(const char *s) RV_NOEXCEPT {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

RV_WEAK int strncmp(const char *a, const char *b, size_t n) RV_NOEXCEPT {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}

RV_WEAK int strcmp(const char *a, const char *b) RV_NOEXCEPT { return strncmp(a, b, (size_t)-1); }

RV_WEAK char *strncpy(char *to, const char *from, size_t n) RV_NOEXCEPT {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

RV_WEAK char *strcpy(char *to, const char *from) RV_NOEXCEPT {
  size_t i = 0;
  do {
    to[i] = from[i];
  } while (from[i++]);
  return to;
}

RV_WEAK char *strcat(char *to, const char *from) RV_NOEXCEPT {
  strcpy(to + strlen(to), from);
  return to;
}

RV_WEAK char *__rv_strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

RV_WEAK void *__rv_memchr(const void *at, int c, size_t n) {
  const unsigned char *bytes = (const unsigned char *)at;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == (unsigned char)c)
      return (void *)(bytes + i);
  return NULL;
}

RV_WEAK int memcmp(const void *a, const void *b, size_t n) RV_NOEXCEPT {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

RV_WEAK int abs(int n) RV_NOEXCEPT { return n < 0 ? -n : n; }

RV_WEAK long labs(long n) RV_NOEXCEPT { return n < 0 ? -n : n; }

/* 0: nobody came yet, 1: somebody is at it, 2: done. */
RV_WEAK int pthread_once(pthread_once_t *once, void (*run)(void)) {
  int *state = (int *)once, nobody = 0;
#ifdef __cpp_exceptions
  /* A call that an exception leaves does not count: another thread makes the next. */
  struct __rv_again {
    int *state;
    ~__rv_again() {
      if (state)
        __atomic_store_n(state, 0, __ATOMIC_RELEASE);
    }
  };
  for (;;) {
    nobody = 0;
    if (__atomic_compare_exchange_n(state, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      __rv_again again = {state};
      run();
      again.state = 0;
      __atomic_store_n(state, 2, __ATOMIC_RELEASE);
      return 0;
    }
    if (nobody == 2)
      return 0;
  }
#else
  if (__atomic_compare_exchange_n(state, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    run();
    __atomic_store_n(state, 2, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != 2)
      ;
  }
  return 0;
#endif
}

#ifndef __cplusplus
RV_WEAK void call_once(once_flag *once, void (*run)(void)) { pthread_once((pthread_once_t *)once, run); }
#endif

/* Thread-safe initialisation of a local static variable: its first byte says that it is done, the second that somebody
   is at it. */
RV_WEAK int __cxa_guard_acquire(long *guard) {
  char *done = (char *)guard, *begun = done + 1, nobody = 0;
#ifdef __cpp_exceptions
  /* A thread that was at it may give up: an exception left it. */
  for (;;) {
    nobody = 0;
    if (__atomic_compare_exchange_n(begun, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
      return 1;
    if (__atomic_load_n(done, __ATOMIC_ACQUIRE))
      return 0;
  }
#else
  if (__atomic_compare_exchange_n(begun, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
    return 1;
  while (!__atomic_load_n(done, __ATOMIC_ACQUIRE))
    ;
  return 0;
#endif
}

RV_WEAK void __cxa_guard_release(long *guard) RV_NOEXCEPT {
  __atomic_store_n((char *)guard, 1, __ATOMIC_RELEASE);
}

/* What is said to the checker: an object in memory begins to exist, ends, is used, was used wrongly; the thread waits for a
   later write of what it read last; what it read does not fit, other explorations show what happens. */
void __rv_initialise(void *);
void __rv_destroy(void *);
void __rv_meet(void *);
void __rv_misuse(const char *);
void __rv_wait(const void *);
void __rv_drop(void);
/* Barriers whose threads come in no order (run/barriers.rs). */
int __rv_gathers(const void *);
void __rv_arrive(const void *, unsigned);
int __rv_pass(const void *, unsigned);
void __rv_refuse(const char *);
void __rv_only_sc(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
/* As raveler.h has it: a C++ program may be compiled together with this file. */
#ifndef RV_HAZARD_POINTER
#define RV_HAZARD_POINTER
typedef struct {
  void *held;
} __VERIFIER_hp_t;
#endif
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
void *__VERIFIER_hp_protect(__VERIFIER_hp_t *, void *);
void __VERIFIER_hp_clear(__VERIFIER_hp_t *);
void __VERIFIER_hp_free(__VERIFIER_hp_t *);
void __VERIFIER_hp_retire(void *);

/* A barrier: which group is gathering and how many of it have come, in the two halves of one word; how many are awaited;
   and a few words in turn that say of a group that it is full. Groups do not synchronise with each other: the last of a
   group lets the next one gather by a relaxed store, and says in a word of its group's own that it is full. Who comes
   between the last one and its store would only wait for it, and need not be followed. */
struct __rv_barrier {
  unsigned long gathering;
  unsigned count;
  unsigned full[5];
};

RV_WEAK int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                       unsigned count) RV_NOEXCEPT {
  struct __rv_barrier *b = (struct __rv_barrier *)barrier;
  (void)attributes;
  if (!count)
    return 22; /* EINVAL */
  __rv_initialise(barrier);
  b->count = count;
  __atomic_store_n(&b->gathering, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < 5; i++)
    __atomic_store_n(&b->full[i], 0, __ATOMIC_RELAXED);
  return 0;
}

RV_WEAK int pthread_barrier_wait(pthread_barrier_t *barrier) RV_NOEXCEPT {
  struct __rv_barrier *b = (struct __rv_barrier *)barrier;
  __rv_meet(barrier);
  unsigned count = b->count;
  if (!count)
    __rv_misuse("the thread waits at a barrier that was not initialised");
  if (count > 1 && __rv_gathers(barrier)) {
    __rv_arrive(barrier, count);
    if (__rv_pass(barrier, count))
      return PTHREAD_BARRIER_SERIAL_THREAD;
    /* Its call is not over when the others go on. */
    (void)__atomic_load_n(&b->full[0], __ATOMIC_RELAXED);
    return 0;
  }
  unsigned long before = __atomic_fetch_add(&b->gathering, 1, __ATOMIC_ACQ_REL);
  unsigned here = (unsigned)before, group = (unsigned)(before >> 32) + 1;
  unsigned *full = &b->full[group % 5];
  if (here >= count)
    __rv_drop();
  if (here + 1 == count) {
    __atomic_store_n(&b->gathering, (unsigned long)group << 32, __ATOMIC_RELAXED);
    if (group <= 5)
      __atomic_store_n(full, group, __ATOMIC_RELEASE);
    else if (__atomic_exchange_n(full, group, __ATOMIC_RELEASE) != group - 5)
      __rv_drop();
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  unsigned seen = __atomic_load_n(full, __ATOMIC_ACQUIRE);
  if (seen < group)
    __rv_wait(full);
  if (seen > group)
    __rv_drop();
  return 0;
}

RV_WEAK int pthread_barrier_destroy(pthread_barrier_t *barrier) RV_NOEXCEPT {
  struct __rv_barrier *b = (struct __rv_barrier *)barrier;
  __rv_meet(barrier);
  unsigned count = b->count;
  if (!count)
    __rv_misuse("a barrier is destroyed that was not initialised");
  unsigned here = (unsigned)__atomic_load_n(&b->gathering, __ATOMIC_RELAXED);
  if (here >= count)
    __rv_drop();
  if (here)
    __rv_misuse("a barrier is destroyed while a thread waits at it");
  __rv_destroy(barrier);
  return 0;
}

#include "raveler_hazard.h"
#include "raveler_more.h"
#include "raveler_exits.h"

#ifdef __cplusplus
}
#undef _Bool

namespace std {
extern __thread void (*__once_call)();
}

/* What std::call_once gives to pthread_once: the function to be called is the thread's own. */
extern "C" RV_WEAK void __once_proxy() { std::__once_call(); }
#endif

#ifdef __cplusplus
#include "raveler_cpp.h"
#ifdef __cpp_exceptions
#include "raveler_exceptions.h"
#ifdef RAVELER_FUTURES
#include "raveler_future.h"
#endif
#endif
#endif

#endif
