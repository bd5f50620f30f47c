// about: what semaphores tell: 0 a try that fails, then a wait; 1 two posts and two waits in turn; 2 a try that fails does not order;
// about: 3 a value that was read may be old; 4 who passes a semaphore may destroy it, 5 who tried and failed may not
// from: by hand: a post happens before the wait that it lets pass, and a try that fails learns nothing
// run: -DWHAT=0 | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DWHAT=1 | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DWHAT=2 | rc11 rc20 | verdict=violation violation=race
// run: -DWHAT=3 | sc tso rc20 | verdict=violation violation=assertion
// run: -DWHAT=4 | sc tso rc20 | verdict=verified
// run: -DWHAT=5 | sc tso rc20 | verdict=violation violation=lock-misuse
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s, turn;
static int d;

static void *run(void *arg) {
#if WHAT == 1
  for (int i = 1; i <= 2; i++) {
    sem_wait(&s);
    d = i;
    sem_post(&turn);
  }
#elif WHAT == 3
  sem_wait(&s);
#else
  d = 1; //! race
  sem_post(&s); //! lock-misuse
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, WHAT == 3);
  sem_init(&turn, 0, 1);
  pthread_create(&t, NULL, run, NULL);
#if WHAT == 0
  if (sem_trywait(&s) != 0) {
    assert(errno == EAGAIN);
    sem_wait(&s);
  }
  assert(d == 1);
#elif WHAT == 1
  for (int i = 0; i < 2; i++) {
    sem_wait(&turn);
    assert(d == i);
    sem_post(&s);
  }
  sem_wait(&turn);
  assert(d == 2);
#elif WHAT == 2
  sem_trywait(&s);
  assert(d >= 0); //! race
#elif WHAT == 3
  int value;
  sem_getvalue(&s, &value);
  assert(value == 1); //! assertion
#elif WHAT == 4
  sem_wait(&s);
  sem_destroy(&s);
  sem_init(&s, 0, 1);
  sem_wait(&s);
  sem_destroy(&s);
#else
  sem_trywait(&s);
  sem_destroy(&s); //! lock-misuse
#endif
  pthread_join(t, NULL);
}
