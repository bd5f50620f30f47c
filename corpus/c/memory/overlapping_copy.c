// about: memcpy between parts of one object that overlap is wrong, memmove is not; a structure that is assigned to itself neither
// from: by hand: C11 7.24.2.1; nothing was said about it
// run: | sc rc20 | verdict=verified executions=1
// run: -DBUG_UP | sc rc20 | verdict=violation violation=other
// run: -DBUG_DOWN | sc rc20 | verdict=violation violation=other
// run: -DBUG_SHARED | sc rc20 | verdict=violation violation=other
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
  int a, b;
};

static char shared[8] = "abcdef";

static void *run(void *arg) {
#ifdef BUG_SHARED
  memcpy(shared + 1, shared, 3); //! other
#else
  memmove(shared + 1, shared, 3);
#endif
  return arg;
}

int main(void) {
  char text[8] = "abcdef";
  volatile int n = 5;
  pthread_t t;
  struct pair pair = {1, 2}, *same = &pair;
  *same = pair;
  assert(pair.a == 1 && pair.b == 2);
  memcpy(text, text + 4, 2);
  assert(!strcmp(text, "efcdef"));
#ifdef BUG_UP
  memcpy(text + 1, text, (size_t)n); //! other
#elif defined BUG_DOWN
  memcpy(text, text + 1, (size_t)n); //! other
#endif
  memmove(text + 1, text, (size_t)n);
  assert(!strcmp(text, "eefcde"));
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  assert(!strcmp(shared, "aabcef"));
}
