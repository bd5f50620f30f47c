/* More of the C library in C: errno, memory and strings beyond the usual, bits, reading formatted text. Included by
   raveler_libc.h. */
/* provides: memmem __errno_location strerror strerror_r mempcpy memrchr bcmp bcopy bzero explicit_bzero memccpy */
/* provides: strncasecmp strsep strlcpy strlcat strcoll stpncpy strchrnul ffs ffsl ffsll sscanf __isoc99_sscanf */
/* provides: vsscanf __isoc99_vsscanf __isoc23_sscanf memcpy_s memset_s */
/* provides: __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange __atomic_is_lock_free */
/* provides: __atomic_load_1 __atomic_load_2 __atomic_load_4 __atomic_load_8 __atomic_store_1 __atomic_store_2 */
/* provides: __atomic_store_4 __atomic_store_8 __atomic_exchange_1 __atomic_exchange_2 __atomic_exchange_4 */
/* provides: __atomic_exchange_8 __atomic_compare_exchange_1 __atomic_compare_exchange_2 __atomic_compare_exchange_4 */
/* provides: __atomic_compare_exchange_8 __atomic_fetch_add_1 __atomic_fetch_add_2 __atomic_fetch_add_4 */
/* provides: __atomic_fetch_add_8 __atomic_fetch_sub_1 __atomic_fetch_sub_2 __atomic_fetch_sub_4 __atomic_fetch_sub_8 */
/* provides: __atomic_fetch_and_1 __atomic_fetch_and_2 __atomic_fetch_and_4 __atomic_fetch_and_8 __atomic_fetch_or_1 */
/* provides: __atomic_fetch_or_2 __atomic_fetch_or_4 __atomic_fetch_or_8 __atomic_fetch_xor_1 __atomic_fetch_xor_2 */
/* provides: __atomic_fetch_xor_4 __atomic_fetch_xor_8 */
/* provides: err errx warn warnx */
/* provides: syscall sysconf get_nprocs get_nprocs_conf getpagesize getpid */
/* provides: __atomic_load_16 __atomic_store_16 __atomic_exchange_16 __atomic_compare_exchange_16 */
#ifndef RAVELER_MORE_H
#define RAVELER_MORE_H

#include <stdarg.h>
#include <stddef.h>

/* Each thread's own. */
static __thread int __rv_errno;

RV_WEAK int *rv_errno_location(void) RV_AS("__errno_location");
RV_WEAK int *rv_errno_location(void) { return &__rv_errno; }

/* What says what went wrong, and ends the process. */
RV_WEAK void rv_err(int status, const char *format, ...) RV_AS("err");
RV_WEAK void rv_err(int status, const char *format, ...) { exit(status); }
RV_WEAK void rv_errx(int status, const char *format, ...) RV_AS("errx");
RV_WEAK void rv_errx(int status, const char *format, ...) { exit(status); }
RV_WEAK void rv_warn(const char *format, ...) RV_AS("warn");
RV_WEAK void rv_warn(const char *format, ...) {}
RV_WEAK void rv_warnx(const char *format, ...) RV_AS("warnx");
RV_WEAK void rv_warnx(const char *format, ...) {}

/* Two processors, as std::thread::hardware_concurrency has it. */
RV_WEAK int rv_get_nprocs(void) RV_AS("get_nprocs");
RV_WEAK int rv_get_nprocs(void) { return 2; }
RV_WEAK int rv_get_nprocs_conf(void) RV_AS("get_nprocs_conf");
RV_WEAK int rv_get_nprocs_conf(void) { return 2; }
/* One process, whose number is 1. */
RV_WEAK int rv_getpid(void) RV_AS("getpid");
RV_WEAK int rv_getpid(void) { return 1; }
RV_WEAK int rv_getpagesize(void) RV_AS("getpagesize");
RV_WEAK int rv_getpagesize(void) { return 4096; }

/* Names of <unistd.h> and <sys/syscall.h>, as numbers: in C++ these headers would stand before the program. */
RV_WEAK long rv_sysconf(int name) RV_AS("sysconf");
RV_WEAK long rv_sysconf(int name) {
  enum { PAGESIZE = 30, NPROCESSORS_CONF = 83, NPROCESSORS_ONLN = 84 };
  if (name == NPROCESSORS_CONF || name == NPROCESSORS_ONLN)
    return 2;
  if (name != PAGESIZE)
    __rv_refuse("`sysconf`: only the number of processors and the size of pages are known");
  return 4096;
}

/* A futex: who waits may wake up for no reason, and does so at once. A wake-up that never comes is not noticed. */
RV_WEAK long rv_syscall(long number, ...) RV_AS("syscall");
RV_WEAK long rv_syscall(long number, ...) {
#ifdef __x86_64__
  enum { FUTEX = 202, GETTID = 186 };
#else
  enum { FUTEX = 98, GETTID = 178 };
#endif
  enum { WAIT = 0, WAKE = 1, REQUEUE = 3, WAIT_BITS = 9, WAKE_BITS = 10, COMMAND = 127 };
  va_list list;
  va_start(list, number);
  if (number == GETTID)
    return (long)pthread_self() & 0x7fffffff;
  if (number == FUTEX) {
    unsigned *word = va_arg(list, unsigned *);
    int command = va_arg(list, int) & COMMAND;
    unsigned expected = va_arg(list, unsigned);
    if (command == WAKE || command == WAKE_BITS || command == REQUEUE)
      return 0;
    if (command == WAIT || command == WAIT_BITS) {
      if (va_arg(list, void *))
        __rv_refuse("a futex with a time limit");
      if (__atomic_load_n(word, __ATOMIC_RELAXED) == expected)
        return 0;
      __rv_errno = 11; /* EAGAIN */
      return -1;
    }
  }
  __rv_refuse("`syscall`: only waiting for a futex and waking are known");
  return -1;
}

RV_WEAK char *rv_strerror(int number) RV_AS("strerror");
RV_WEAK char *rv_strerror(int number) {
  static char texts[2][8] = {"Success", "Error"};
  return texts[number != 0];
}

RV_WEAK char *rv_strerror_r(int number, char *to, size_t n) RV_AS("strerror_r");
RV_WEAK char *rv_strerror_r(int number, char *to, size_t n) { return rv_strerror(number); }

RV_WEAK void *rv_mempcpy(void *to, const void *from, size_t n) RV_AS("mempcpy");
RV_WEAK void *rv_mempcpy(void *to, const void *from, size_t n) {
  return (char *)__builtin_memcpy(to, from, n) + n;
}

RV_WEAK void *rv_memrchr(const void *at, int c, size_t n) RV_AS("memrchr");
RV_WEAK void *rv_memrchr(const void *at, int c, size_t n) {
  const unsigned char *bytes = (const unsigned char *)at;
  while (n--)
    if (bytes[n] == (unsigned char)c)
      return (void *)(bytes + n);
  return NULL;
}

RV_WEAK void *rv_memmem(const void *in, size_t n, const void *what, size_t m) RV_AS("memmem");
RV_WEAK void *rv_memmem(const void *in, size_t n, const void *what, size_t m) {
  for (size_t at = 0; at + m <= n; at++)
    if (!__builtin_memcmp((const char *)in + at, what, m))
      return (char *)in + at;
  return NULL;
}

RV_WEAK void *rv_memccpy(void *to, const void *from, int c, size_t n) RV_AS("memccpy");
RV_WEAK void *rv_memccpy(void *to, const void *from, int c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((((char *)to)[i] = ((const char *)from)[i]) == (char)c)
      return (char *)to + i + 1;
  return NULL;
}

/* What does not fit is an error, which the caller is told. */
RV_WEAK int rv_memcpy_s(void *to, size_t room, const void *from, size_t n) RV_AS("memcpy_s");
RV_WEAK int rv_memcpy_s(void *to, size_t room, const void *from, size_t n) {
  if (!to || !from || n > room) {
    if (to)
      __builtin_memset(to, 0, room);
    return 22;
  }
  __builtin_memcpy(to, from, n);
  return 0;
}

RV_WEAK int rv_memset_s(void *to, size_t room, int c, size_t n) RV_AS("memset_s");
RV_WEAK int rv_memset_s(void *to, size_t room, int c, size_t n) {
  if (!to)
    return 22;
  __builtin_memset(to, c, n > room ? room : n);
  return n > room ? 22 : 0;
}

RV_WEAK int rv_bcmp(const void *a, const void *b, size_t n) RV_AS("bcmp");
RV_WEAK int rv_bcmp(const void *a, const void *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((const char *)a)[i] != ((const char *)b)[i])
      return 1;
  return 0;
}

RV_WEAK void rv_bcopy(const void *from, void *to, size_t n) RV_AS("bcopy");
RV_WEAK void rv_bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

RV_WEAK void rv_bzero(void *to, size_t n) RV_AS("bzero");
RV_WEAK void rv_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

RV_WEAK void rv_explicit_bzero(void *to, size_t n) RV_AS("explicit_bzero");
RV_WEAK void rv_explicit_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

static int __rv_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

RV_WEAK int rv_strncasecmp(const char *a, const char *b, size_t n) RV_AS("strncasecmp");
RV_WEAK int rv_strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = __rv_lower((unsigned char)a[i]), y = __rv_lower((unsigned char)b[i]);
    if (x != y)
      return x - y;
    if (!x)
      return 0;
  }
  return 0;
}

RV_WEAK int rv_strcoll(const char *a, const char *b) RV_AS("strcoll");
RV_WEAK int rv_strcoll(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

RV_WEAK char *rv_strchrnul(const char *s, int c) RV_AS("strchrnul");
RV_WEAK char *rv_strchrnul(const char *s, int c) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

RV_WEAK char *rv_strsep(char **list, const char *ends) RV_AS("strsep");
RV_WEAK char *rv_strsep(char **list, const char *ends) {
  char *word = *list;
  if (!word)
    return NULL;
  for (char *s = word; *s; s++)
    for (const char *end = ends; *end; end++)
      if (*s == *end) {
        *s = 0;
        *list = s + 1;
        return word;
      }
  *list = NULL;
  return word;
}

RV_WEAK char *rv_stpncpy(char *to, const char *from, size_t n) RV_AS("stpncpy");
RV_WEAK char *rv_stpncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (size_t rest = i; rest < n; rest++)
    to[rest] = 0;
  return to + i;
}

RV_WEAK size_t rv_strlcpy(char *to, const char *from, size_t n) RV_AS("strlcpy");
RV_WEAK size_t rv_strlcpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; from[i]; i++)
    if (i + 1 < n)
      to[i] = from[i];
  if (n)
    to[i < n ? i : n - 1] = 0;
  return i;
}

RV_WEAK size_t rv_strlcat(char *to, const char *from, size_t n) RV_AS("strlcat");
RV_WEAK size_t rv_strlcat(char *to, const char *from, size_t n) {
  size_t length = 0;
  while (length < n && to[length])
    length++;
  return length + rv_strlcpy(to + length, from, n - length);
}

RV_WEAK int rv_ffsll(long long n) RV_AS("ffsll");
RV_WEAK int rv_ffsll(long long n) { return n ? __builtin_ctzll((unsigned long long)n) + 1 : 0; }

RV_WEAK int rv_ffsl(long n) RV_AS("ffsl");
RV_WEAK int rv_ffsl(long n) { return rv_ffsll(n); }

RV_WEAK int rv_ffs(int n) RV_AS("ffs");
RV_WEAK int rv_ffs(int n) { return n ? __builtin_ctz((unsigned)n) + 1 : 0; }

static int __rv_is_space(int c) { return c == ' ' || c >= '\t' && c <= '\r'; }

static int __rv_digit(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = __rv_lower(c);
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/* A number at *s, of at most `most` characters; 0 if there is none. */
static int __rv_scan_number(const char **s, size_t most, int base, unsigned long long *value) {
  const char *at = *s, *end = most ? at + most : (const char *)-1;
  int negative = 0, digits = 0;
  unsigned long long number = 0;
  if (at < end && (*at == '-' || *at == '+'))
    negative = *at++ == '-';
  if ((base == 0 || base == 16) && at + 2 < end && at[0] == '0' && __rv_lower(at[1]) == 'x' && __rv_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  for (; at < end && __rv_digit(*at) < base; at++, digits++)
    number = number * (unsigned)base + (unsigned)__rv_digit(*at);
  if (!digits)
    return 0;
  *value = negative ? -number : number;
  *s = at;
  return 1;
}

static int __rv_scan(const char *text, const char *format, va_list list) {
  const char *s = text;
  int count = 0;
  for (; *format; format++) {
    if (__rv_is_space(*format)) {
      while (__rv_is_space(*s))
        s++;
      continue;
    }
    if (*format != '%') {
      if (*s != *format)
        return *s || count ? count : -1;
      s++;
      continue;
    }
    format++;
    int drop = 0, size = 0, ok = 0;
    size_t width = 0;
    if (*format == '*') {
      drop = 1;
      format++;
    }
    for (; *format >= '0' && *format <= '9'; format++)
      width = width * 10 + (size_t)(*format - '0');
    for (;; format++) {
      if (*format == 'h')
        size--;
      else if (*format == 'l')
        size++;
      else if (*format == 'z' || *format == 'j' || *format == 't')
        size = 2;
      else
        break;
    }
    if (*format == '%') {
      while (__rv_is_space(*s))
        s++;
      if (*s++ != '%')
        return count;
      continue;
    }
    if (*format == 'n') {
      *va_arg(list, int *) = (int)(s - text);
      continue;
    }
    if (*format != 'c' && *format != '[')
      while (__rv_is_space(*s))
        s++;
    if (!*s)
      return count ? count : -1;
    if (*format == 'c' || *format == 's' || *format == '[') {
      char *to = drop ? NULL : va_arg(list, char *);
      size_t n = 0, most = width ? width : *format == 'c' ? 1 : (size_t)-1;
      const char *set = format + 1, *set_end = set;
      int negated = 0;
      if (*format == '[') {
        negated = *set == '^';
        set += negated;
        set_end = set;
        if (*set_end == ']')
          set_end++;
        while (*set_end && *set_end != ']')
          set_end++;
      }
      for (; n < most && s[n]; n++) {
        if (*format == 's' && __rv_is_space(s[n]))
          break;
        if (*format == '[') {
          int inside = 0;
          for (const char *c = set; c < set_end; c++) {
            if (c[1] == '-' && c + 2 < set_end) {
              inside |= s[n] >= c[0] && s[n] <= c[2];
              c += 2;
            } else {
              inside |= *c == s[n];
            }
          }
          if (inside == negated)
            break;
        }
        if (to)
          to[n] = s[n];
      }
      if (!n)
        return count;
      if (to && *format != 'c')
        to[n] = 0;
      if (*format == '[')
        format = set_end;
      s += n;
      count += !drop;
      continue;
    }
    unsigned long long value = 0;
    switch (*format) {
    case 'd':
    case 'u':
      ok = __rv_scan_number(&s, width, 10, &value);
      break;
    case 'i':
      ok = __rv_scan_number(&s, width, 0, &value);
      break;
    case 'o':
      ok = __rv_scan_number(&s, width, 8, &value);
      break;
    case 'x':
    case 'X':
      ok = __rv_scan_number(&s, width, 16, &value);
      break;
    case 'p':
      ok = __rv_scan_number(&s, width, 16, &value);
      size = 2;
      break;
    default:
      __rv_refuse("sscanf: this conversion is not supported; integers, strings and characters are");
    }
    if (!ok)
      return count;
    if (drop)
      continue;
    if (size >= 1)
      *va_arg(list, unsigned long *) = (unsigned long)value;
    else if (size == 0)
      *va_arg(list, unsigned *) = (unsigned)value;
    else if (size == -1)
      *va_arg(list, unsigned short *) = (unsigned short)value;
    else
      *va_arg(list, unsigned char *) = (unsigned char)value;
    count++;
  }
  return count;
}

#define RV_SCAN(function, name)                                                                    \
  RV_WEAK int function(const char *text, const char *format, ...) RV_AS(name);                     \
  RV_WEAK int function(const char *text, const char *format, ...) {                                \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    int count = __rv_scan(text, format, list);                                                     \
    va_end(list);                                                                                  \
    return count;                                                                                  \
  }

RV_SCAN(rv_sscanf, "sscanf")
RV_SCAN(rv_sscanf_99, "__isoc99_sscanf")
RV_SCAN(rv_sscanf_23, "__isoc23_sscanf")

RV_WEAK int rv_vsscanf(const char *text, const char *format, va_list list) RV_AS("vsscanf");
RV_WEAK int rv_vsscanf(const char *text, const char *format, va_list list) {
  return __rv_scan(text, format, list);
}

RV_WEAK int rv_vsscanf_99(const char *text, const char *format, va_list list) RV_AS("__isoc99_vsscanf");
RV_WEAK int rv_vsscanf_99(const char *text, const char *format, va_list list) {
  return __rv_scan(text, format, list);
}

/* Atomic operations that the compiler leaves to a library. */
#define RV_ATOMIC(bytes, type)                                                                     \
  RV_WEAK type rv_atomic_load_##bytes(void *at, int order) RV_AS("__atomic_load_" #bytes);         \
  RV_WEAK type rv_atomic_load_##bytes(void *at, int order) {                                       \
    return __atomic_load_n((type *)at, order);                                                     \
  }                                                                                                \
  RV_WEAK void rv_atomic_store_##bytes(void *at, type value, int order)                            \
      RV_AS("__atomic_store_" #bytes);                                                             \
  RV_WEAK void rv_atomic_store_##bytes(void *at, type value, int order) {                          \
    __atomic_store_n((type *)at, value, order);                                                    \
  }                                                                                                \
  RV_WEAK _Bool rv_atomic_compare_exchange_##bytes(void *at, void *expected, type value,           \
                                                   int success, int failure)                       \
      RV_AS("__atomic_compare_exchange_" #bytes);                                                  \
  RV_WEAK _Bool rv_atomic_compare_exchange_##bytes(void *at, void *expected, type value,           \
                                                   int success, int failure) {                     \
    return __atomic_compare_exchange_n((type *)at, (type *)expected, value, 0, success, failure);  \
  }                                                                                                \
  RV_UPDATE(bytes, type, exchange, __atomic_exchange_n)                                            \
  RV_UPDATE(bytes, type, fetch_add, __atomic_fetch_add)                                            \
  RV_UPDATE(bytes, type, fetch_sub, __atomic_fetch_sub)                                            \
  RV_UPDATE(bytes, type, fetch_and, __atomic_fetch_and)                                            \
  RV_UPDATE(bytes, type, fetch_or, __atomic_fetch_or)                                              \
  RV_UPDATE(bytes, type, fetch_xor, __atomic_fetch_xor)

#define RV_UPDATE(bytes, type, name, builtin)                                                      \
  RV_WEAK type rv_atomic_##name##_##bytes(void *at, type value, int order)                         \
      RV_AS("__atomic_" #name "_" #bytes);                                                         \
  RV_WEAK type rv_atomic_##name##_##bytes(void *at, type value, int order) {                       \
    return builtin((type *)at, value, order);                                                      \
  }

RV_ATOMIC(1, unsigned char)
RV_ATOMIC(2, unsigned short)
RV_ATOMIC(4, unsigned)
RV_ATOMIC(8, unsigned long)

/* Sixteen bytes: a section, which is right under SC only. */
typedef unsigned __int128 __rv_wide;

RV_WEAK __rv_wide rv_atomic_load_16(void *at, int order) RV_AS("__atomic_load_16");
RV_WEAK __rv_wide rv_atomic_load_16(void *at, int order) {
  __rv_only_sc();
  __VERIFIER_atomic_begin();
  __rv_wide value = *(__rv_wide *)at;
  __VERIFIER_atomic_end();
  return value;
}

RV_WEAK __rv_wide rv_atomic_exchange_16(void *at, __rv_wide value, int order) RV_AS("__atomic_exchange_16");
RV_WEAK __rv_wide rv_atomic_exchange_16(void *at, __rv_wide value, int order) {
  __rv_only_sc();
  __VERIFIER_atomic_begin();
  __rv_wide old = *(__rv_wide *)at;
  *(__rv_wide *)at = value;
  __VERIFIER_atomic_end();
  return old;
}

RV_WEAK void rv_atomic_store_16(void *at, __rv_wide value, int order) RV_AS("__atomic_store_16");
RV_WEAK void rv_atomic_store_16(void *at, __rv_wide value, int order) {
  __rv_only_sc();
  __VERIFIER_atomic_begin();
  *(__rv_wide *)at = value;
  __VERIFIER_atomic_end();
}

RV_WEAK _Bool rv_atomic_compare_exchange_16(void *at, void *expected, __rv_wide value, int success, int failure)
    RV_AS("__atomic_compare_exchange_16");
RV_WEAK _Bool rv_atomic_compare_exchange_16(void *at, void *expected, __rv_wide value, int success, int failure) {
  __rv_wide wanted = *(__rv_wide *)expected;
  __rv_only_sc();
  __VERIFIER_atomic_begin();
  __rv_wide old = *(__rv_wide *)at;
  _Bool same = old == wanted;
  if (same)
    *(__rv_wide *)at = value;
  __VERIFIER_atomic_end();
  *(__rv_wide *)expected = old;
  return same;
}

#define RV_EACH_SIZE(DO)                                                                           \
  switch (size) {                                                                                  \
  case 1:                                                                                          \
    DO(1, unsigned char);                                                                          \
  case 2:                                                                                          \
    DO(2, unsigned short);                                                                         \
  case 4:                                                                                          \
    DO(4, unsigned);                                                                               \
  case 8:                                                                                          \
    DO(8, unsigned long);                                                                          \
  case 16:                                                                                         \
    DO(16, __rv_wide);                                                                             \
  }                                                                                                \
  __rv_refuse("atomic operations on objects that are not of 1, 2, 4, 8 or 16 bytes are not supported")

RV_WEAK void rv_atomic_load(size_t size, void *at, void *to, int order) RV_AS("__atomic_load");
RV_WEAK void rv_atomic_load(size_t size, void *at, void *to, int order) {
#define RV_DO(bytes, type)                                                                         \
  *(type *)to = rv_atomic_load_##bytes(at, order);                                                 \
  return
  RV_EACH_SIZE(RV_DO);
#undef RV_DO
}

RV_WEAK void rv_atomic_store(size_t size, void *at, void *from, int order) RV_AS("__atomic_store");
RV_WEAK void rv_atomic_store(size_t size, void *at, void *from, int order) {
#define RV_DO(bytes, type)                                                                         \
  rv_atomic_store_##bytes(at, *(type *)from, order);                                               \
  return
  RV_EACH_SIZE(RV_DO);
#undef RV_DO
}

RV_WEAK void rv_atomic_exchange(size_t size, void *at, void *from, void *to, int order)
    RV_AS("__atomic_exchange");
RV_WEAK void rv_atomic_exchange(size_t size, void *at, void *from, void *to, int order) {
#define RV_DO(bytes, type)                                                                         \
  *(type *)to = rv_atomic_exchange_##bytes(at, *(type *)from, order);                              \
  return
  RV_EACH_SIZE(RV_DO);
#undef RV_DO
}

RV_WEAK _Bool rv_atomic_compare_exchange(size_t size, void *at, void *expected, void *from, int success,
                                         int failure) RV_AS("__atomic_compare_exchange");
RV_WEAK _Bool rv_atomic_compare_exchange(size_t size, void *at, void *expected, void *from, int success,
                                         int failure) {
#define RV_DO(bytes, type)                                                                         \
  return rv_atomic_compare_exchange_##bytes(at, expected, *(type *)from, success, failure)
  RV_EACH_SIZE(RV_DO);
#undef RV_DO
  return 0;
}

RV_WEAK _Bool rv_atomic_is_lock_free(size_t size, const void *at) RV_AS("__atomic_is_lock_free");
RV_WEAK _Bool rv_atomic_is_lock_free(size_t size, const void *at) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

#endif
