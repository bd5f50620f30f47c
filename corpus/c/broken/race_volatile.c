// run: | rc11 rc20 | verdict=violation violation=race
// run: | sc | verdict=verified
// about: volatile is not atomic
#include <pthread.h>
#include <stddef.h>

static volatile int ready;
static int data;

static void *run(void *arg) {
  (void)arg;
  data = 42; //! race
  ready = 1; //! race
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  while (!ready) //! race
    ;
  int r = data; //! race
  pthread_join(t, NULL);
  return r != 42;
}
