// about: memory of a semaphore that one thread frees while another may still use the semaphore; nothing else in it is touched
// from: by hand: any use of a semaphore is an access to its memory, and the free must come after it. POSIX allows a thread
// from: that passed the semaphore to destroy and free it, although the post that let it pass may not have returned
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DPASSED | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DPASSED | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_POST | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_POST | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_WAIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_WAIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_TRY_WAIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_TRY_WAIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_PASSED_ONE_OF_TWO | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_PASSED_ONE_OF_TWO | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *worker(void *arg) {
  sem_t *s = arg;
#if defined BUG_WAIT
  sem_wait(s); //! use-after-free
#elif defined BUG_TRY_WAIT
  sem_trywait(s); //! use-after-free
#else
  sem_post(s); //! use-after-free
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  sem_t *s = malloc(sizeof *s);
#if defined BUG_WAIT || defined BUG_TRY_WAIT
  sem_init(s, 0, 2);
#else
  sem_init(s, 0, 0);
#endif
  pthread_create(&a, NULL, worker, s);
  pthread_create(&b, NULL, worker, s);
#if defined PASSED
  sem_wait(s);
  sem_wait(s);
  free(s);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#elif defined BUG_PASSED_ONE_OF_TWO
  sem_wait(s);
  free(s); //! use-after-free
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#elif defined BUG_POST || defined BUG_WAIT || defined BUG_TRY_WAIT
  free(s); //! use-after-free
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#else
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(s);
#endif
}
