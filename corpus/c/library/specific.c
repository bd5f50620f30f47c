// about: thread-specific data: each thread its own, destructors at the end of each thread
// from: by hand: the two increments of `freed` in either order
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_DESTRUCTOR | sc tso pso ra rc11 rc20 | verdict=violation violation=double-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, other;
static atomic_int freed;

static void drop(void *p) {
  free(p); //! double-free
  freed++;
}

static void *run(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 1;
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, p);
  pthread_setspecific(other, arg);
  assert(*(int *)pthread_getspecific(key) == 1 && pthread_getspecific(other) == arg);
#ifdef BUG_DESTRUCTOR
  free(p);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, drop);
  pthread_key_create(&other, NULL);
  pthread_create(&a, NULL, run, &a);
  pthread_create(&b, NULL, run, &b);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(pthread_getspecific(key) == NULL);
  assert(freed == 2);
  pthread_key_delete(key);
}
