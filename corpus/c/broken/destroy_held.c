// run: | sc rc20 | verdict=violation violation=lock-misuse
// about: a mutex is destroyed while it is held
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&l);
  pthread_mutex_destroy(&l); //! lock-misuse
}
