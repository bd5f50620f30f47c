// about: a structure in shared memory is passed by value although nobody set one of its words: that is a copy
// from: by hand: copying a structure is no use of its members (C11 6.2.6.1p6: the value of a structure is never a trap
// from: representation). USED: the callee decides by the word that nobody set. RACE: another thread sets the word meanwhile, and
// from: the copy reads all words. DOUBLES: the words are passed in other registers. LARGE: the structure is passed in memory.
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DDOUBLES | sc rc20 | verdict=verified executions=1
// run: -DLARGE | sc rc20 | verdict=verified executions=1
// run: -DUSED | sc tso rc20 | verdict=violation violation=uninitialised-read
// run: -DUSED | sc rc20 --equivalence co | verdict=violation violation=uninitialised-read
// run: -DRACE | rc11 rc20 | verdict=violation violation=race
// run: -DRACE | sc tso | verdict=verified
#include <pthread.h>
#include <stdlib.h>

#ifdef DOUBLES
typedef double word;
#else
typedef long word;
#endif

struct words {
  word a, b;
#ifdef LARGE
  word c[3];
#endif
};

struct words *shared;

static word first(struct words w) {
#ifdef USED
  if (w.b) //! uninitialised-read
    return 2;
#endif
  return w.a;
}

static void *reader(void *unused) {
  return first(*shared) == 1 ? unused : 0; //! race
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  shared->a = 1;
  pthread_create(&t, 0, reader, 0);
#ifdef RACE
  shared->b = 1; //! race
#endif
  pthread_join(t, 0);
  free(shared);
  return 0;
}
