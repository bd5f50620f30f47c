// run: | rc11 rc20 | verdict=violation violation=race
// about: a structure is copied while one of its fields is written
#include <pthread.h>
#include <stddef.h>

struct triple {
  int a, b, c;
};

static struct triple s;

static void *run(void *arg) {
  (void)arg;
  s.b = 1; //! race
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  struct triple copy = s; //! race
  pthread_join(t, NULL);
  return copy.b > 1;
}
