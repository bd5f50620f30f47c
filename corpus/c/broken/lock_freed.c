// run: | sc rc20 | verdict=violation violation=use-after-free
// about: a mutex is locked after its memory was freed
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t *l = malloc(sizeof *l);
  pthread_mutex_init(l, NULL);
  free(l);
  pthread_mutex_lock(l); //! use-after-free
}
