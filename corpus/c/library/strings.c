// about: the functions of <string.h> and <ctype.h>, numbers from texts, sorting and searching; a copy that is too long
// from: by hand: what the standards say; a run of the compiled program ends without a failed assertion, too
// run: | sc rc20 | verdict=verified executions=1
// run: -DBUG_WRONG | sc rc20 | verdict=violation violation=assertion
// run: -DBUG_COPY | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DBUG_APPEND | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DBUG_LENGTH | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DBUG_SHARED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_UNSET | sc rc20 | verdict=violation violation=uninitialised-read
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char shared[8] = "abc";

static void *writes(void *unused) {
  strcpy(shared, "xyz"); //! race
  return unused;
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  char a[16], b[16], *rest, *end;
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
#ifdef BUG_SHARED
  assert(strlen(shared) == 3); //! race
#endif
  pthread_join(thread, 0);
  assert(!strcmp(shared, "xyz"));

  assert(strcpy(a, "one") == a && strlen(a) == 3 && strnlen(a, 2) == 2);
  assert(stpcpy(b, "two") == b + 3 && !strcmp(strcat(a, b), "onetwo"));
  assert(!strcmp(strncat(a, "three", 2), "onetwoth"));
  assert(!strncmp(strncpy(b, "abcdef", 3), "abco", 3));
  assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strncmp("abc", "abd", 2) == 0);
  assert(!strcasecmp("AbC", "aBc"));
  assert(strchr("hello", 'l') && *strchr("hello", 0) == 0 && !strchr("hello", 'z'));
  assert(strrchr("hello", 'l')[1] == 'o' && strstr("hello", "ll")[2] == 'o' && !strstr("hello", "lo!"));
  assert(strspn("aab1", "ab") == 3 && strcspn("aab1", "1") == 3 && *strpbrk("key=1", "=:") == '=');
  strcpy(a, "a,b;c");
  assert(!strcmp(strtok_r(a, ",;", &rest), "a") && !strcmp(strtok_r(0, ",;", &rest), "b"));
  assert(!strcmp(strtok_r(0, ",;", &rest), "c") && !strtok_r(0, ",;", &rest));
  strcpy(a, "x y");
  assert(!strcmp(strtok(a, " "), "x") && !strcmp(strtok(0, " "), "y") && !strtok(0, " "));
  char *copy = strdup("copy"), *part = strndup("copy", 2);
  assert(!strcmp(copy, "copy") && !strcmp(part, "co"));
  free(copy);
  free(part);

  assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0 && !bcmp("a", "a", 1));
  assert(*(char *)memchr("abc", 'b', 3) == 'b' && !memchr("abc", 'c', 2));
  memset(a, 'z', 4);
  memcpy(a + 4, "12345", 6);
  memmove(a + 2, a, 8);
  assert(!memcmp(a, "zzzzzz1234", 10));
  assert(*(char *)memmem("abcd", 4, "cd", 2) == 'c');

  assert(isdigit('7') && isalpha('q') && isspace('\t') && isupper('Q') && !islower('Q') && isxdigit('f'));
  assert(isalnum('0') && ispunct('!') && toupper('a') == 'A' && tolower('A') == 'a');
  assert(atoi(" -12x") == -12 && atol("34") == 34 && strtol("0x1f!", &end, 0) == 31 && *end == '!');
  assert(strtoul("777", 0, 8) == 511 && strtoll("-5", 0, 10) == -5 && strtoull("9", 0, 10) == 9);
  assert(abs(-3) == 3 && labs(-4) == 4);

  int numbers[] = {4, 1, 3}, three = 3;
  qsort(numbers, 3, sizeof *numbers, by_value);
  assert(numbers[0] == 1 && numbers[1] == 3 && numbers[2] == 4);
  assert(bsearch(&three, numbers, 3, sizeof three, by_value) == numbers + 1);

#if defined BUG_WRONG
  assert(strcmp("abc", "abc")); //! assertion
#elif defined BUG_COPY
  char *small = malloc(3);
  strcpy(small, "abc"); //! out-of-bounds
  free(small);
#elif defined BUG_APPEND
  char small[4] = "ab";
  strcat(small, "cd"); //! out-of-bounds
#elif defined BUG_LENGTH
  char open[3] = {'a', 'b', 'c'};
  return strlen(open); //! out-of-bounds
#elif defined BUG_UNSET
  char unset[4];
  return strlen(unset); //! uninitialised-read
#endif
  return 0;
}
