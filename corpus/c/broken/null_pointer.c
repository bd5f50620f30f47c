// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=null-dereference
// about: a pointer is used before another thread has set it
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value;
static int *_Atomic p;

static void *run(void *arg) {
  (void)arg;
  atomic_store(&p, &value);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  int *q = atomic_load(&p);
  *q = 1; //! null-dereference
  pthread_join(t, NULL);
}
