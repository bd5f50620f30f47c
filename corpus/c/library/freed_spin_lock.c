// about: memory of a spin lock that one thread frees while another may still use the lock; nothing else in it is touched
// from: by hand: any use of a lock is an access to its memory, and the free must come after it
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_TRY | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_TRY | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  pthread_spinlock_t *l = (pthread_spinlock_t *)arg;
#ifdef BUG_TRY
  if (pthread_spin_trylock(l) != 0) //! use-after-free
    return NULL;
#else
  pthread_spin_lock(l); //! use-after-free
#endif
  pthread_spin_unlock(l); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_spinlock_t *l = (pthread_spinlock_t *)malloc(sizeof *l);
  pthread_spin_init(l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, NULL, worker, (void *)l);
#if defined BUG_NO_JOIN || defined BUG_TRY
  free((void *)l); //! use-after-free
  pthread_join(t, NULL);
#else
  pthread_join(t, NULL);
  free((void *)l);
#endif
}
