// refuse: exit=2
// about: a pointer to one thread's copy of a thread-local variable is used by another thread
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 7;

static void *look(void *p) {
  assert(*(int *)p == 3);
  return 0;
}

int main(void) {
  pthread_t t;
  mine = 3;
  pthread_create(&t, 0, look, &mine); //! refuse
  pthread_join(t, 0);
}
