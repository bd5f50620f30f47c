// about: allocations that cannot be: of more bytes than pointers can be apart, or with what is no alignment
// from: by hand: C17 (DR 460) and POSIX: a null pointer, or EINVAL, ENOMEM; what `realloc` was given stays
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DSHARED | sc rc20 | verdict=verified executions=1
// run: -DBUG_UNCHECKED | sc rc20 | verdict=violation violation=null-dereference
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int *kept;

static void *read_it(void *unused) {
  (void)unused;
  assert(*kept == 7);
  return NULL;
}

int main(void) {
  volatile size_t most = SIZE_MAX - 1;
  size_t many = most;
  int *p = malloc(many);
#ifdef BUG_UNCHECKED
  *p = 1; //! null-dereference
#endif
  assert(p == NULL);
  assert(calloc(1, many) == NULL);
  assert(calloc(many, 2) == NULL);
  assert(aligned_alloc(3, 9) == NULL);
  assert(aligned_alloc(0, 8) == NULL);
  assert(aligned_alloc(64, many) == NULL);

  void *q = &kept;
  assert(posix_memalign(&q, 3, 8) == EINVAL);
  assert(posix_memalign(&q, 4, 8) == EINVAL);
  assert(posix_memalign(&q, 24, 8) == EINVAL);
  assert(posix_memalign(&q, 64, many) == ENOMEM);
  assert(q == &kept);
  assert(posix_memalign(&q, 64, 8) == 0 && (uintptr_t)q % 64 == 0);
  free(q);

  kept = malloc(sizeof *kept);
  *kept = 7;
  assert(realloc(kept, many) == NULL);
#ifdef SHARED
  pthread_t t;
  pthread_create(&t, NULL, read_it, NULL);
  pthread_join(t, NULL);
#else
  read_it(NULL);
#endif
  free(kept);
  return 0;
}
