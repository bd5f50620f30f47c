// about: copying memory of which not everything was set, to and from what other threads use, is right; using what was never set is not
// from: by hand: C11 6.2.6.1: a structure is never a trap representation, whatever its padding and members hold. What decides
// from: something must have been set, and not be lost on the way through a copy. Under the mutex the reader comes first or last: 2
// run: -DASSIGN | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DASSIGN -DON_STACK | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DASSIGN -DGLOBAL | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DASSIGN -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DUSED -DON_STACK | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DUSED -DGLOBAL | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DDIRECT | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DSET_BEFORE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DASSIGN -DSET_BEFORE -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DSET_BEFORE -DDIRECT | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DASSIGN -DSET_AFTER -DUSED -DDIRECT | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMEMBERS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMEMBERS -DON_STACK | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMEMBERS -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DMEMBERS -DDIRECT | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DMEMBERS -DTWICE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMEMBERS -DTWICE -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DMEMBERS -DTWICE -DSET_BEFORE -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DMEMBERS -DLOCKED | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DMEMBERS -DLOCKED | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DMEMBERS -DLOCKED -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DMEMBERS -DRACE | rc11 rc20 | verdict=violation violation=race
// run: -DREALLOC | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DREALLOC -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DPASSED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DPASSED -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DBITS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DBITS -DUSED | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct s {
  char c; // three bytes of padding follow
  int i;
  long never;
  short last; // six more
};

struct small {
  int a;
  short never;
};

struct bits {
  unsigned a : 3;
  unsigned never : 5;
  unsigned c : 8;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct s *shared, global, *second;
static int *numbers;
static struct small *small;
static struct bits *bits;

static void take(struct small by_value) {
  assert(by_value.a == 2);
#ifdef USED
  assert(by_value.never == 0); //! uninitialised-read
#endif
}

static void *reader(void *arg) {
  (void)arg;
#if defined REALLOC
  int *more = realloc(numbers, 8 * sizeof *more);
  assert(more[0] == 1);
  more[3] = 4;
#ifdef USED
  assert(more[2] == 0); //! uninitialised-read
#endif
  assert(more[3] == 4);
  free(more);
#elif defined PASSED
  take(*small);
  struct small copy = *small;
  take(copy);
#elif defined BITS
  struct bits t = *bits;
  assert(t.a == 5 && bits->c == 7);
#ifdef USED
  assert(t.never == 0); //! uninitialised-read
#endif
#else
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
#ifdef TWICE
  *second = *shared;
  struct s t;
  memcpy(&t, second, sizeof t);
#else
  struct s t = *shared; //! race
#endif
#ifdef LOCKED
  pthread_mutex_unlock(&m);
  if (t.last != 3) return NULL;
#endif
  assert(t.c == 1 && t.i == 2 && t.last == 3);
#ifdef USED
  assert(t.never == 7); //! uninitialised-read
#endif
#ifdef DIRECT
  assert(shared->never == 7); //! uninitialised-read
#endif
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
#if defined ON_STACK
  struct s on_stack;
  shared = &on_stack;
#elif defined GLOBAL
  shared = &global;
#else
  shared = malloc(sizeof *shared);
#endif
  second = malloc(sizeof *second);
#ifdef SET_BEFORE
  shared->never = second->never = 7;
#endif
#if defined ASSIGN
  {
    struct s s;
    s.c = 1;
    s.i = 2;
    s.last = 3;
    *shared = s;
  }
#ifdef SET_AFTER
  shared->never = 7;
#endif
#elif defined REALLOC
  numbers = malloc(4 * sizeof *numbers);
  numbers[0] = 1;
#elif defined PASSED
  small = malloc(sizeof *small);
  small->a = 2;
#elif defined BITS
  bits = malloc(sizeof *bits);
  struct bits b;
  b.a = 5;
  b.c = 7;
  *bits = b;
#endif
#if defined LOCKED
  shared->last = 0;
#endif
#if defined LOCKED || defined RACE
  pthread_create(&t, NULL, reader, NULL);
#endif
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
#ifdef MEMBERS
#ifdef SET_BEFORE
  // What was set is unset by a copy of what was not.
  struct s unset;
  memcpy(&shared->never, &unset.never, sizeof unset.never);
#endif
  shared->c = 1; //! race
  shared->i = 2; //! race
  shared->last = 3; //! race
#endif
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
#if !defined LOCKED && !defined RACE
  pthread_create(&t, NULL, reader, NULL);
#endif
  pthread_join(t, NULL);
  free(bits);
  free(small);
  free(second);
#if !defined ON_STACK && !defined GLOBAL
  free(shared);
#endif
  return 0;
}
