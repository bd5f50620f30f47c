// about: only what came from the heap can be freed: not a local variable, of whatever thread, nor a global one
// from: by hand: the standard allows free only of what malloc and its like returned
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=invalid-free
// run: -DTOUCHED | sc tso pso ra rc11 rc20 --all | verdict=violation violation=invalid-free
// run: -DSIBLING | sc ra rc20 --all | verdict=violation violation=invalid-free
// run: -DGLOBAL | sc ra rc20 --all | verdict=violation violation=invalid-free
// run: -DOWN | sc ra rc20 --all | verdict=violation violation=invalid-free
// run: -DHEAP | sc tso pso ra rc11 rc20 --all | verdict=verified executions=1
// run: -DLOCKED | sc ra rc20 --all | verdict=violation violation=invalid-free
// run: -DLOCKED | sc rc20 --all --locks ordered | verdict=violation violation=invalid-free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int global;

static void *freer(void *p) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
  free(p); //! invalid-free
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}

static void *owner(void *arg) {
  int mine = 1;
  pthread_t t;
  pthread_create(&t, 0, freer, &mine);
  pthread_join(t, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  int n = 5;
#if defined(SIBLING)
  pthread_create(&t, 0, owner, 0);
#elif defined(GLOBAL)
  pthread_create(&t, 0, freer, &global);
#elif defined(HEAP)
  pthread_create(&t, 0, freer, malloc(4));
#elif defined(OWN)
  pthread_create(&t, 0, owner, 0);
  free(&n); //! invalid-free
#else
  pthread_create(&t, 0, freer, &n);
#endif
  pthread_join(t, 0);
#ifdef TOUCHED
  n = 6;
#endif
  return n;
}
