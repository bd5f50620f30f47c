// about: arithmetic past an object is caught when the memory is accessed, not when the address is made
// from: by hand: no two objects are near each other, on whichever side the access lies
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DAT=4 | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=1000 | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1000 | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=30000 | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=4 -DHEAP | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DHEAP | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=30000 -DHEAP | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=4 -DLOCAL | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DLOCAL | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-30000 -DLOCAL | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=4 -DHEAP -DSHARED | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DHEAP -DSHARED | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=30000 -DHEAP -DSHARED | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DLOCAL -DSHARED | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DSHARED | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=200000 -DLARGE -DHEAP | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=-1 -DLARGE -DHEAP | sc rc20 | verdict=violation violation=out-of-bounds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef LARGE
#define SIZE 200000
#else
#define SIZE 4
#endif

static int before[SIZE], global[SIZE], after[SIZE];

static void *touch(void *p) {
  ((int *)p)[1] = 3;
  return NULL;
}

int main(void) {
#if defined HEAP
  int *a = calloc(SIZE, sizeof *a), *b = calloc(SIZE, sizeof *b), *c = calloc(SIZE, sizeof *c);
#elif defined LOCAL
  int a[SIZE] = {0}, b[SIZE] = {0}, c[SIZE] = {0};
#else
  int *a = before, *b = global, *c = after;
#endif
  a[0] = b[0] = c[0] = 1;
#ifdef SHARED
  pthread_t t;
  pthread_create(&t, NULL, touch, b);
  pthread_join(t, NULL);
#endif
  (void)touch;
  int *end = b + SIZE; // one past the end is an address like any other
  assert(end - b == SIZE && end > b && end != a && end != c);
#ifdef AT
  int *p = b + AT;
  *p = 2; //! out-of-bounds
#endif
#ifdef HEAP
  free(a);
  free(b);
  free(c);
#endif
}
