/* Strings, characters and numbers of the C library in C. Included by raveler_libc.h. */
/* provides: strchr strrchr strstr strpbrk memchr */
#ifndef RAVELER_STRINGS_H
#define RAVELER_STRINGS_H

#include <stddef.h>

/* C++ gives these other types than C: they are defined under a name of their own. */
#define RV_AS(name) __asm__(name)

RV_WEAK char *rv_strchr(const char *s, int c) RV_AS("strchr");
RV_WEAK char *rv_strrchr(const char *s, int c) RV_AS("strrchr");
RV_WEAK char *rv_strstr(const char *s, const char *t) RV_AS("strstr");
RV_WEAK char *rv_strpbrk(const char *s, const char *set) RV_AS("strpbrk");
RV_WEAK void *rv_memchr(const void *s, int c, size_t n) RV_AS("memchr");
RV_WEAK void *rv_malloc(size_t n) RV_AS("malloc");
RV_WEAK double rv_parse_double(const char *s, size_t n);
RV_WEAK int rv_fits(double least, double value, double most);

RV_WEAK char *rv_strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

RV_WEAK char *rv_strrchr(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

RV_WEAK char *rv_strstr(const char *s, const char *t) {
  for (;; s++) {
    size_t i = 0;
    while (t[i] && s[i] == t[i])
      i++;
    if (!t[i])
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

RV_WEAK void *rv_memchr(const void *s, int c, size_t n) {
  const unsigned char *p = (const unsigned char *)s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c)
      return (void *)(p + i);
  return NULL;
}

RV_WEAK size_t strnlen(const char *s, size_t most) RV_NOEXCEPT {
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

RV_WEAK size_t strcspn(const char *s, const char *set) RV_NOEXCEPT {
  size_t n = 0;
  while (s[n] && !rv_strchr(set, s[n]))
    n++;
  return n;
}

RV_WEAK size_t strspn(const char *s, const char *set) RV_NOEXCEPT {
  size_t n = 0;
  while (s[n] && rv_strchr(set, s[n]))
    n++;
  return n;
}

RV_WEAK char *rv_strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : NULL;
}

RV_WEAK char *strncat(char *to, const char *from, size_t n) RV_NOEXCEPT {
  char *end = to;
  while (*end)
    end++;
  while (n-- && *from)
    *end++ = *from++;
  *end = 0;
  return to;
}

RV_WEAK char *stpcpy(char *to, const char *from) RV_NOEXCEPT {
  while ((*to = *from++))
    to++;
  return to;
}

RV_WEAK char *strtok_r(char *s, const char *set, char **rest) RV_NOEXCEPT {
  if (!s)
    s = *rest;
  if (!s)
    return NULL;
  s += strspn(s, set);
  if (!*s) {
    *rest = NULL;
    return NULL;
  }
  char *end = s + strcspn(s, set);
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return s;
}

static char *rv_token;
RV_WEAK char *strtok(char *s, const char *set) RV_NOEXCEPT { return strtok_r(s, set, &rv_token); }

RV_WEAK char *strndup(const char *s, size_t most) RV_NOEXCEPT {
  size_t n = strnlen(s, most);
  char *copy = (char *)rv_malloc(n + 1);
  if (copy) {
    for (size_t i = 0; i < n; i++)
      copy[i] = s[i];
    copy[n] = 0;
  }
  return copy;
}

RV_WEAK char *strdup(const char *s) RV_NOEXCEPT { return strndup(s, (size_t)-1); }

RV_WEAK int toupper(int c) RV_NOEXCEPT { return c >= 'a' && c <= 'z' ? c - 32 : c; }
RV_WEAK int tolower(int c) RV_NOEXCEPT { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
RV_WEAK int isdigit(int c) RV_NOEXCEPT { return c >= '0' && c <= '9'; }
RV_WEAK int isupper(int c) RV_NOEXCEPT { return c >= 'A' && c <= 'Z'; }
RV_WEAK int islower(int c) RV_NOEXCEPT { return c >= 'a' && c <= 'z'; }
RV_WEAK int isalpha(int c) RV_NOEXCEPT { return isupper(c) || islower(c); }
RV_WEAK int isalnum(int c) RV_NOEXCEPT { return isalpha(c) || isdigit(c); }
RV_WEAK int isspace(int c) RV_NOEXCEPT { return c == ' ' || (c >= 9 && c <= 13); }
RV_WEAK int isprint(int c) RV_NOEXCEPT { return c >= 32 && c < 127; }
RV_WEAK int isgraph(int c) RV_NOEXCEPT { return c > 32 && c < 127; }
RV_WEAK int iscntrl(int c) RV_NOEXCEPT { return (c >= 0 && c < 32) || c == 127; }
RV_WEAK int ispunct(int c) RV_NOEXCEPT { return isgraph(c) && !isalnum(c); }
RV_WEAK int isxdigit(int c) RV_NOEXCEPT { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
RV_WEAK int isblank(int c) RV_NOEXCEPT { return c == ' ' || c == 9; }

/* What the macros of <ctype.h> look into: from -128 to 255. */
static const unsigned short rv_ctype[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156, 49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const unsigned short *const rv_ctype_middle = rv_ctype + 128;
RV_WEAK const unsigned short **__ctype_b_loc(void) RV_NOEXCEPT { return (const unsigned short **)&rv_ctype_middle; }

RV_WEAK int strcasecmp(const char *a, const char *b) RV_NOEXCEPT {
  while (*a && tolower(*a) == tolower(*b)) {
    a++;
    b++;
  }
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

static int rv_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 99;
}

/* The magnitude of a number, no more than `most`; where it ends. */
static unsigned long rv_magnitude(const char *s, char **end, int base, int *negative, unsigned long most) {
  const char *start = s;
  unsigned long value = 0;
  int some = 0, over = 0;
  while (isspace(*s))
    s++;
  *negative = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && rv_digit(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0)
    base = *s == '0' ? 8 : 10;
  for (; rv_digit(*s) < base; s++, some = 1) {
    unsigned long digit = (unsigned long)rv_digit(*s);
    if (value > (most - digit) / (unsigned long)base)
      over = 1;
    else
      value = value * (unsigned long)base + digit;
  }
  if (end)
    *end = (char *)(some ? s : start);
  return over ? most : value;
}

RV_WEAK unsigned long strtoul(const char *s, char **end, int base) RV_NOEXCEPT {
  int negative;
  unsigned long value = rv_magnitude(s, end, base, &negative, ~0ul);
  return negative ? -value : value;
}

RV_WEAK long strtol(const char *s, char **end, int base) RV_NOEXCEPT {
  int negative;
  const char *first = s;
  while (isspace(*first))
    first++;
  unsigned long most = ~0ul / 2 + (*first == '-');
  unsigned long value = rv_magnitude(s, end, base, &negative, most);
  return (long)(negative ? -value : value);
}

RV_WEAK long long strtoll(const char *s, char **end, int base) RV_NOEXCEPT { return strtol(s, end, base); }
RV_WEAK unsigned long long strtoull(const char *s, char **end, int base) RV_NOEXCEPT { return strtoul(s, end, base); }
RV_WEAK int atoi(const char *s) RV_NOEXCEPT { return (int)strtol(s, NULL, 10); }
RV_WEAK long atol(const char *s) RV_NOEXCEPT { return strtol(s, NULL, 10); }
RV_WEAK long long atoll(const char *s) RV_NOEXCEPT { return strtol(s, NULL, 10); }

RV_WEAK double strtod(const char *s, char **end) RV_NOEXCEPT {
  const char *first = s;
  while (isspace(*first))
    first++;
  const char *p = first, *last = NULL;
  if (*p == '-' || *p == '+')
    p++;
  int digits = 0;
  for (; isdigit(*p); p++)
    digits++;
  if (*p == '.')
    for (p++; isdigit(*p); p++)
      digits++;
  if (digits) {
    last = p;
    if (*p == 'e' || *p == 'E') {
      p++;
      if (*p == '-' || *p == '+')
        p++;
      if (isdigit(*p)) {
        while (isdigit(*p))
          p++;
        last = p;
      }
    }
  }
  if (end)
    *end = (char *)(last ? last : s);
  return last ? rv_parse_double(first, (size_t)(last - first)) : 0;
}

RV_WEAK float strtof(const char *s, char **end) RV_NOEXCEPT { return (float)strtod(s, end); }
RV_WEAK double atof(const char *s) RV_NOEXCEPT { return strtod(s, NULL); }

/* Elements that are equal stay in their order. */
RV_WEAK void qsort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = (char *)all;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; j--)
      for (size_t k = 0; k < size; k++) {
        char *left = bytes + (j - 1) * size + k, *right = left + size, kept = *left;
        *left = *right;
        *right = kept;
      }
}

RV_WEAK void *bsearch(const void *key, const void *all, size_t count, size_t size,
                      int (*compare)(const void *, const void *)) {
  const char *bytes = (const char *)all;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(key, bytes + middle * size);
    if (order == 0)
      return (void *)(bytes + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

#ifndef __cplusplus
RV_WEAK long long llabs(long long n) { return n < 0 ? -n : n; }
#endif

RV_WEAK double frexp(double x, int *exponent) RV_NOEXCEPT {
  *exponent = 0;
  if (x == 0 || x != x || x - x != 0)
    return x;
  for (; x >= 1 || x <= -1; ++*exponent)
    x /= 2;
  for (; x < 0.5 && x > -0.5; --*exponent)
    x *= 2;
  return x;
}

RV_WEAK double ldexp(double x, int n) RV_NOEXCEPT {
  for (; n > 0 && x - x == 0; n--)
    x *= 2;
  for (; n < 0 && x != 0; n++)
    x /= 2;
  return x;
}

RV_WEAK double scalbn(double x, int n) RV_NOEXCEPT { return ldexp(x, n); }

RV_WEAK double modf(double x, double *whole) RV_NOEXCEPT {
  *whole = x - x != 0 ? x : __builtin_trunc(x);
  return x - x != 0 ? 0 : __builtin_copysign(x - *whole, x);
}

#endif
