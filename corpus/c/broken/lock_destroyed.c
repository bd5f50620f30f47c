// run: | sc rc20 | verdict=violation violation=lock-misuse
// about: a mutex is locked after it was destroyed
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_destroy(&l);
  pthread_mutex_lock(&l); //! lock-misuse
  pthread_mutex_unlock(&l);
}
