// about: each thread counts in a variable of its own and adds it up at the end
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DBUG_ONE_FOR_ALL | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_ONE_FOR_ALL
static int own[2];
#else
static _Thread_local int own[2] = {0, 1};
#endif
static atomic_int total;

static void *count(void *arg) {
  (void)arg;
  int *p = &own[0];
  for (int i = 0; i < 3; i++)
    ++*p; //! race
#ifndef BUG_ONE_FOR_ALL
  assert(own[0] == 3 && own[1] == 1);
#endif
  atomic_fetch_add_explicit(&total, own[0], memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifndef BUG_ONE_FOR_ALL
  assert(own[0] == 0);
#endif
  assert(atomic_load_explicit(&total, memory_order_relaxed) == 6);
}
