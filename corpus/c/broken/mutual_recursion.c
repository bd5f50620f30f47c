// run: | sc rc20 | verdict=violation violation=stack-overflow
// about: two functions of a thread that call each other without end
#include <pthread.h>
#include <stddef.h>

static int odd(int n);

static int even(int n) {
  return n == 0 ? 1 : odd(n - 1); //! stack-overflow
}

static int odd(int n) {
  return n == 0 ? 0 : even(n - 1); //! stack-overflow
}

static void *run(void *arg) {
  (void)arg;
  even(-1);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
}
