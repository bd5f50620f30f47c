// about: W8: an exchange that waits by writing back what it read is still a write
// from: by hand: the last round is ordered after the plain read, an earlier one is not
// run: | rc11 rc20 | verdict=violation violation=race
// run: | sc tso pso ra | verdict=verified
#include <pthread.h>
#include <stddef.h>

static int x;

static void *first(void *arg) {
  (void)arg;
  while (__atomic_exchange_n(&x, 0, __ATOMIC_ACQUIRE) == 0) //! race
    ;
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  int r = x; //! race
  (void)r;
  __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
