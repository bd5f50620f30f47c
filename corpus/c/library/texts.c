// about: memory, strings, bits and formatted text, with the program's own function of a library's name
// from: by hand: what the standards say
// run: | sc | verdict=verified executions=1
// run: -DBUG | sc | verdict=violation violation=assertion
// run: -DBUG_SCANNED | sc | verdict=violation violation=assertion
// run: -DBUG_ROOM | sc | verdict=violation violation=out-of-bounds
// run: -DBUG_OWN | sc | verdict=violation violation=assertion
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int remove(const char *name) { return name[0]; }
int strcoll(const char *a, const char *b) { return 42; }

int main(void) {
  char text[16] = "one,two", *rest = text, word[8], copy[8];
  int a = 0, b = 0, n = 0;
  long l = 0;
  unsigned char c = 0;
  assert(remove("x") == 'x');
  assert(strcoll("a", "b") == 42);
  assert(!strcmp(strsep(&rest, ","), "one") && !strcmp(rest, "two"));
  assert(ffs(0) == 0 && ffs(8) == 4 && ffsl(1L << 40) == 41);
  assert(mempcpy(copy, "abc", 4) == copy + 4 && !strcmp(copy, "abc"));
  assert(memrchr("abcb", 'b', 4) && !strncasecmp("HELLO", "help", 3));
  assert(*strchrnul("abc", 'z') == 0 && stpncpy(copy, "xy", 4) == copy + 2);
  assert(sscanf("12 -7 0x1f", "%d %d %i", &a, &b, &n) == 3 && a == 12 && b == -7 && n == 31);
  assert(sscanf("key=value;9", "%7[^=]=%*[a-z];%ld%n", word, &l, &n) == 2 && l == 9 && n == 11);
  assert(!strcmp(word, "key"));
  assert(sscanf("300", "%hhu", &c) == 1 && c == 44);
  assert(sscanf("", "%d", &a) == -1 && sscanf("x", "%d", &a) == 0);
#if defined BUG_SCANNED
  assert(sscanf("7", "%x%d", &a, &b) == 2); //! assertion
#elif defined BUG_ROOM
  sscanf("longer_than_the_room", "%s", word); //! out-of-bounds
#elif defined BUG_OWN
  assert(!strcoll("same", "same")); //! assertion
#endif
  bzero(copy, sizeof copy);
#ifdef BUG
  assert(copy[0] == 'x'); //! assertion(BUG)
#else
  assert(copy[0] == 0);
#endif
  return 0;
}
