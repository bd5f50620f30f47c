// run: | sc rc20 | verdict=violation violation=uninitialised-read
// about: a local variable that is set on one path only
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *run(void *arg) {
  (void)arg;
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t t;
  int v;
  pthread_create(&t, NULL, run, NULL);
  if (atomic_load(&x))
    v = 1;
  pthread_join(t, NULL);
  if (v) //! uninitialised-read
    return 1;
  return 0;
}
