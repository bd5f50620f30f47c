// about: how large an allocation is depends on what its thread read; another thread writes behind the end of the smaller one
// from: by hand: the flag may be set before it is read, so there is an execution in which the object has one member, and the write of the second
// from: is out of bounds; the write is the same in all executions, its address too, only the object differs (-DOTHER: it is the smaller one if the flag is not set; -DLARGE: both are large enough)
// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: | sc rc11 rc20 --equivalence co | verdict=violation violation=out-of-bounds
// run: -DOTHER | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: -DLARGE | sc tso pso ra rc11 rc20 | verdict=verified executions=4
// run: -DLARGE | sc rc11 rc20 --equivalence co | verdict=verified executions=4
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef LARGE
#define SMALL 2
#else
#define SMALL 1
#endif

#ifdef OTHER
#define SIZE(flag) ((flag) ? 2 : SMALL)
#else
#define SIZE(flag) ((flag) ? SMALL : 2)
#endif

static atomic_int flag;
static _Atomic(atomic_int *) published;

static void *setter(void *unused) {
  (void)unused;
  atomic_store(&flag, 1);
  return NULL;
}

static void *user(void *unused) {
  (void)unused;
  atomic_int *object = atomic_load(&published);
  if (object)
    atomic_store(object + 1, 7); //! out-of-bounds
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, setter, NULL);
  pthread_create(&b, NULL, user, NULL);
  int seen = atomic_load(&flag);
  atomic_int *object = malloc(SIZE(seen) * sizeof *object);
  atomic_store(&published, object);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(object);
  return 0;
}
