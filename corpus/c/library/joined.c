// about: a thread is joined or detached once
// from: by hand
// run: | sc rc20 | executions=1 verdict=verified
// run: -DBUG_DETACHED | sc rc20 | verdict=violation violation=other
// run: -DBUG_JOINED | sc rc20 | verdict=violation violation=other
#include <pthread.h>
#include <stddef.h>

static void *run(void *arg) { return arg; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_detach(a);
  pthread_join(b, NULL);
#ifdef BUG_DETACHED
  pthread_join(a, NULL); //! other
#elif defined BUG_JOINED
  pthread_detach(b); //! other
#endif
}
