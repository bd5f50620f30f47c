// about: a semaphore as a lock, and as a count of what is there
// from: by hand: who takes it first
// run: | sc tso pso ra rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_TWO | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_TWO | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_NO_POST | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DTRY | sc tso pso ra rc11 rc20 | verdict=verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static int d, taken;

static void *run(void *arg) {
#ifdef TRY
  if (sem_trywait(&s) != 0)
    return arg;
  __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
#else
  sem_wait(&s); //! deadlock
  taken++; //! race
#endif
  d++; //! race
#ifndef BUG_NO_POST
  sem_post(&s);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
#ifdef BUG_TWO
  sem_init(&s, 0, 2);
#else
  sem_init(&s, 0, 1);
#endif
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
  assert(d == taken && taken > 0); //! assertion
  int left;
  sem_getvalue(&s, &left);
#ifndef BUG_TWO
  assert(left == 1);
#endif
#ifndef TRY
  assert(d == 2); //! assertion
#endif
  sem_destroy(&s);
}
