// run: | sc rc20 | verdict=violation violation=unlock-not-held
// about: a mutex that nobody holds is unlocked
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_mutex_unlock(&l); //! unlock-not-held
}
