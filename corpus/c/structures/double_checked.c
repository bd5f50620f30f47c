// about: an object is made by the first who needs it; who finds it made takes no lock
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_STORE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_LOAD | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_SECOND_CHECK | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_PUBLISH_EARLY | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_PUBLISH_EARLY | rc11 rc20 | verdict=violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG_RELAXED_STORE
#define MADE memory_order_relaxed
#else
#define MADE memory_order_release
#endif
#ifdef BUG_RELAXED_LOAD
#define FOUND memory_order_relaxed
#else
#define FOUND memory_order_acquire
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic object;
static int made;

static void make(void) {
  int *p = malloc(sizeof *p); //! race
#ifdef BUG_PUBLISH_EARLY
  *p = 0;
  atomic_store_explicit(&object, p, MADE);
#endif
  *p = 42; //! race
  made++;
  atomic_store_explicit(&object, p, MADE);
}

static int *get(void) {
  int *p = atomic_load_explicit(&object, FOUND);
  if (p == NULL) {
    pthread_mutex_lock(&l);
    p = atomic_load_explicit(&object, memory_order_relaxed);
#ifdef BUG_NO_SECOND_CHECK
    p = NULL;
#endif
    if (p == NULL) {
      make();
      p = atomic_load_explicit(&object, memory_order_relaxed);
    }
    pthread_mutex_unlock(&l);
  }
  return p;
}

static void *run(void *arg) {
  (void)arg;
  int v = *get(); //! race
  assert(v == 42); //! assertion(BUG_PUBLISH_EARLY)
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(made == 1); //! assertion(BUG_NO_SECOND_CHECK)
  free(atomic_load(&object));
}
