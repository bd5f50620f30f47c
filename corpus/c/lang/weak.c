// about: a weak function or variable that is nowhere defined has the address null: a program that asks may go on, one that does not
// about: calls a null pointer. What libraries define is there
// from: by hand, and gcc and clang agree
// run: | sc rc20 | verdict=verified executions=1
// run: -DBUG | sc rc20 | verdict=violation violation=null-dereference
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern int hook(int) __attribute__((weak));
extern int setting __attribute__((weak));
extern int pthread_mutex_lock(pthread_mutex_t *) __attribute__((weak));
extern size_t strlen(const char *) __attribute__((weak));
extern int defined(int) __attribute__((weak));

static int (*kept)(int) = hook;
static int (*const table[2])(int) = {defined, hook};

int defined(int x) { return x + 1; }

int main(void) {
  assert(!hook && !&setting && !kept);
  assert(pthread_mutex_lock && strlen && defined);
  assert(table[0](1) == 2 && !table[1]);
  assert(strlen("ab") == 2);
  int value = hook ? hook(1) : 1;
  if (&setting)
    value = setting;
  assert(value == 1);
#ifdef BUG
  hook(2); //! null-dereference
#endif
  return 0;
}
