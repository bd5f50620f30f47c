// about: memory that is allocated with a size, or with contents, that differ between executions; another thread uses it
// from: by hand: one of the two choices is right, the other reads outside of the object, or what nothing has set
// run: -DSIZE | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DSIZE | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DSIZE -DBUG_TOO_SMALL | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: -DSIZE -DBUG_TOO_SMALL | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=out-of-bounds
// run: -DSIZE -DSMALL_FIRST -DBUG_TOO_SMALL | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: -DSIZE -DSMALL_FIRST -DBUG_TOO_SMALL | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=out-of-bounds
// run: -DCONTENTS | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DCONTENTS | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DCONTENTS -DBUG_NOT_SET | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DCONTENTS -DBUG_NOT_SET | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=uninitialised-read
// run: -DCONTENTS -DSET_FIRST -DBUG_NOT_SET | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DCONTENTS -DSET_FIRST -DBUG_NOT_SET | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=uninitialised-read
#include <assert.h>
#include <pthread.h>
#include <raveler.h>
#include <stdlib.h>

#ifdef BUG_TOO_SMALL
#define SMALL 4
#else
#define SMALL 8
#endif

#ifdef SMALL_FIRST
#define SIZES(c) ((c) ? malloc(8) : malloc(SMALL))
#else
#define SIZES(c) ((c) ? malloc(SMALL) : malloc(8))
#endif

#ifdef BUG_NOT_SET
#define UNSET() malloc(8)
#else
#define UNSET() calloc(1, 8)
#endif

#ifdef SET_FIRST
#define CONTENTS_OF(c) ((c) ? UNSET() : calloc(2, 4))
#else
#define CONTENTS_OF(c) ((c) ? calloc(2, 4) : UNSET())
#endif

static void *worker(void *arg) {
  int *p = arg;
#ifdef SIZE
  p[1] = 1; //! out-of-bounds
#else
  assert(p[1] == 0); //! uninitialised-read
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  int c = rv_choose(0, 1);
#ifdef SIZE
  int *p = SIZES(c);
#else
  int *p = CONTENTS_OF(c);
#endif
  pthread_create(&t, NULL, worker, p);
  pthread_join(t, NULL);
  free(p);
}
