// run: | sc rc20 | verdict=violation
// about: a thread is joined twice
#include <pthread.h>
#include <stddef.h>

static void *run(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  pthread_join(t, NULL);
}
