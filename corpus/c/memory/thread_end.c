// about: local variables of a thread end with it, however it ends: the address was given to another thread as the thread's
// about: result (default) or through a global variable (PUBLISHED)
// from: by hand: POSIX (pthread_exit) and C11 (6.2.4, storage ends with its block): an access after the end is undefined.
// from: Static variables and the heap outlive the thread; joined before the end means that nothing is left to end
// run: -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DEXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DEXIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DEXIT | sc tso pso ra rc11 rc20 --equivalence co | verdict=violation violation=use-after-free
// run: -DTHRD_EXIT -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DRETURN -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DEXIT -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DINNER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DINNER -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DINNERMOST | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DINNERMOST -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DTHROUGH_POINTER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DARRAY -DEXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DVLA -DEXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSTATIC -DEXIT | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DSTATIC -DRETURN | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DHEAP -DEXIT | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DHEAP -DINNERMOST | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DONLY_COMPARED -DEXIT | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static int *published;

static void end(int *v) {
#ifdef INNERMOST
  pthread_exit(v); //! use-after-free
#endif
}

static void inner(int *v) {
  int mine = 1;
  end(v);
#ifdef INNER
  pthread_exit(mine ? v : NULL); //! use-after-free
#endif
}

static void *run(void *arg) {
#if defined STATIC
  static int v;
#elif defined HEAP
  int *heap = malloc(sizeof *heap);
#define v (*heap)
#elif defined ARRAY
  int all[3];
#define v all[2]
#elif defined VLA
  int n = arg ? 2 : 3;
  int all[n];
#define v all[1]
#else
  int v;
#endif
  v = 5;
  published = &v;
  inner(&v);
#ifdef EXIT
  pthread_exit(&v); //! use-after-free
#elif defined THRD_EXIT
  thrd_exit(3); //! use-after-free
#elif defined THROUGH_POINTER
  void (*leave)(void *) = (void (*)(void *))pthread_exit;
  leave(&v); //! use-after-free
#endif
  return arg ? NULL : &v;
} //! use-after-free

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, &result);
#ifdef PUBLISHED
  result = published;
#endif
#ifdef ONLY_COMPARED
  assert(result == published);
  return 0;
#endif
  assert(*(int *)result == 5); //! use-after-free
#ifdef HEAP
  free(result);
#endif
}
