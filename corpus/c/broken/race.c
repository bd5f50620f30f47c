// run: | rc11 rc20 | verdict=violation violation=race
// run: | rc11 rc20 --races ignore | verdict=verified
// run: | sc tso pso ra | verdict=verified
// about: the smallest race
#include <pthread.h>
#include <stddef.h>

static int x;

static void *run(void *arg) {
  (void)arg;
  x = 1; //! race
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  int r = x; //! race
  (void)r;
  pthread_join(t, NULL);
}
