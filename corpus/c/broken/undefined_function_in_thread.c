// refuse: exit=2
// about: the unknown function is only called on a path that few executions take; it is refused before the search
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void ring_bell(int times);

static atomic_int x;

static void *run(void *arg) {
  (void)arg;
  if (atomic_load(&x) == 2)
    ring_bell(3); //! refuse
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  pthread_join(t, NULL);
}
