// about: memcpy_s and memset_s (Annex K of C11) do nothing beyond the room they are told of, and say so
// from: by hand, C11 K.3.7
// run: | sc rc20 | verdict=verified
// run: -DBUG | rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <string.h>

int memcpy_s(void *to, size_t room, const void *from, size_t count);
int memset_s(void *to, size_t room, int value, size_t count);

int main(void) {
  char from[4] = "abc", to[4] = "xyz";
  assert(memcpy_s(to, sizeof to, from, sizeof from) == 0 && !strcmp(to, "abc"));
  assert(memset_s(to, sizeof to, 'z', 2) == 0 && !strcmp(to, "zzc"));
#ifdef BUG
  assert(memcpy_s(to, 2, from, sizeof from) == 0);
#else
  assert(memcpy_s(to, 2, from, sizeof from) != 0 && to[0] == 0 && to[1] == 0 && to[2] == 'c');
#endif
  return 0;
}
