// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=division-by-zero
// about: the divisor is 0 until another thread has set it
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;

static void *run(void *arg) {
  (void)arg;
  atomic_store(&n, 2);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  int d = atomic_load(&n);
  int q = 10 / d; //! division-by-zero
  pthread_join(t, NULL);
  return q != 5;
}
