// about: threads that are cancelled are not supported; saying that a thread must not be, is
// refuse: exit=2
#include <pthread.h>

static void *run(void *arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_testcancel();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t); //! refuse
  pthread_join(t, NULL);
}
