// about: bit-fields in memory that nobody set before, which another thread uses
// from: by hand: setting one reads its neighbours and writes them back, which is a copy; they are read only where the program does so
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified executions=1
// run: -DBUG_UNSET | sc tso rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DBUG_RACE | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct fields {
  unsigned three : 3, five : 5;
  int twenty : 20;
  long forty : 40;
  _Bool one : 1;
  unsigned char seven : 7;
  unsigned : 0;
  unsigned short nine : 9;
};

static struct fields *fields;

static void *run(void *unused) {
  assert(fields->three == 5);
  assert(fields->twenty == -3);
#ifdef BUG_UNSET
  assert(fields->nine == 0 || fields->nine != 0); //! uninitialised-read
#endif
  fields->five = 17; //! race
  return unused;
}

int main(void) {
  pthread_t thread;
  fields = malloc(sizeof *fields);
  fields->three = 5;
  fields->twenty = -3;
  fields->forty = 0;
  fields->one = 1;
  pthread_create(&thread, 0, run, 0);
#ifdef BUG_RACE
  // Neighbours lie in one object of memory.
  fields->twenty = 4; //! race
#endif
  pthread_join(thread, 0);
  struct fields copy = *fields;
  assert(copy.three == 5 && copy.five == 17 && copy.one);
  fields->nine = 300;
  assert(fields->nine == 300 && fields->forty == 0);
  free(fields);
  return 0;
}
