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
  if (__atomic_compare_exchange_n(state, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    run();
    __atomic_store_n(state, 2, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != 2)
      ;
  }
  return 0;
}

#ifndef __cplusplus
RV_WEAK void call_once(once_flag *once, void (*run)(void)) { pthread_once((pthread_once_t *)once, run); }
#endif

/* Thread-safe initialisation of a local static variable: its first byte says that it is done, the second that somebody
   is at it. */
RV_WEAK int __cxa_guard_acquire(long long *guard) RV_NOEXCEPT {
  char *done = (char *)guard, *begun = done + 1, nobody = 0;
  if (__atomic_compare_exchange_n(begun, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
    return 1;
  while (!__atomic_load_n(done, __ATOMIC_ACQUIRE))
    ;
  return 0;
}

RV_WEAK void __cxa_guard_release(long long *guard) RV_NOEXCEPT {
  __atomic_store_n((char *)guard, 1, __ATOMIC_RELEASE);
}

/* How many are awaited, how many are there, which round it is. */
RV_WEAK int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                       unsigned count) RV_NOEXCEPT {
  unsigned *word = (unsigned *)barrier;
  (void)attributes;
  word[0] = count;
  __atomic_store_n(&word[1], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&word[2], 0, __ATOMIC_RELAXED);
  return 0;
}

RV_WEAK int pthread_barrier_wait(pthread_barrier_t *barrier) RV_NOEXCEPT {
  unsigned *word = (unsigned *)barrier;
  unsigned round = __atomic_load_n(&word[2], __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&word[1], 1, __ATOMIC_ACQ_REL) == word[0]) {
    __atomic_store_n(&word[1], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&word[2], round + 1, __ATOMIC_RELEASE);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (__atomic_load_n(&word[2], __ATOMIC_ACQUIRE) == round)
    ;
  return 0;
}

RV_WEAK int pthread_barrier_destroy(pthread_barrier_t *barrier) RV_NOEXCEPT {
  (void)barrier;
  return 0;
}

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
#endif

#endif
