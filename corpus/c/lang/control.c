// run: | sc rc20 | executions=1 verdict=verified
// about: computed goto, switches, variable arguments, arrays of variable size, constructors, aliases
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }

static int plain(void) { return 7; }
int other(void) __attribute__((alias("plain")));

static int run(const unsigned char *code) {
  static void *const labels[] = {&&add, &&twice, &&stop};
  int value = 1;
  goto *labels[*code++];
add:
  value += 3;
  goto *labels[*code++];
twice:
  value *= 2;
  goto *labels[*code++];
stop:
  return value;
}

struct three {
  long a, b, c;
};

static long sum(const char *kinds, ...) {
  va_list list;
  long total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i':
      total += va_arg(list, int);
      break;
    case 'd':
      total += (long)va_arg(list, double);
      break;
    case 's':
      total += va_arg(list, struct three).c;
      break;
    case 'L':
      total += (long)va_arg(list, long double);
      break;
    }
  va_end(list);
  return total;
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#define KIND(x) _Generic((x), int: 1, double: 2, default: 3)

int main(int argc, char **argv) {
  assert(ready && other() == 7);
  assert(argc == 1 && argv[0] && !argv[1]);
  assert(run((unsigned char[]){0, 1, 1, 0, 2}) == 19);
  assert(sum("idsLi", 1, 2.5, (struct three){1, 2, 30}, 4.5L, 500) == 537);
  int n = argc + 4, squares[n];
  for (int i = 0; i < n; i++)
    squares[i] = (n - i) * (n - i);
  qsort(squares, n, sizeof *squares, order);
  assert(squares[0] == 1 && squares[4] == 25);
  char text[32];
  int length = snprintf(text, sizeof text, "%05d|%-4s|%.2f|%lx", 42, "ab", 2.5, 255ul);
  assert(length == 18 && !strcmp(text, "00042|ab  |2.50|ff"));
  assert(strtol("-12rest", NULL, 10) == -12 && strstr("haystack", "st") != NULL);
  assert(KIND(1) == 1 && KIND(1.0) == 2 && KIND("") == 3);
  return 0;
}
