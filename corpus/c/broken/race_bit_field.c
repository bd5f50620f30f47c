// run: | rc11 rc20 | verdict=violation violation=race
// about: neighbouring bit-fields are one memory location
#include <pthread.h>
#include <stddef.h>

static struct {
  unsigned a : 4, b : 4;
} s;

static void *run(void *arg) {
  (void)arg;
  s.a = 1; //! race
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  s.b = 1; //! race
  pthread_join(t, NULL);
}
