// run: | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// about: an index that two threads count up past the end of a global array
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int next;
static int slots[3];

static void *run(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++)
    slots[atomic_fetch_add(&next, 1)] = 1; //! out-of-bounds
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
