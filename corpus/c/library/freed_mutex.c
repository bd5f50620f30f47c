// about: memory of a mutex that one thread frees while another may still use the mutex; nothing else in it is touched
// from: by hand: any use of a mutex is an access to its memory, and the free must come after it. POSIX allows a thread that
// from: got the mutex after the last unlock of the others to destroy and free it, although their unlock may not have returned
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DGOT_LAST | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DGOT_LAST | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_TRY | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_TRY | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_GOT_FIRST | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_GOT_FIRST | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DBUG_WAITS | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBUG_WAITS | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#include <pthread.h>
#include <stdlib.h>

static int done;

static void *worker(void *arg) {
  pthread_mutex_t *l = arg;
#ifdef BUG_TRY
  if (pthread_mutex_trylock(l) != 0) //! use-after-free
    return NULL;
#else
  pthread_mutex_lock(l); //! use-after-free
#endif
  done = 1;
  pthread_mutex_unlock(l); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_t *l = malloc(sizeof *l);
  pthread_mutex_init(l, NULL);
#ifdef BUG_WAITS
  // The worker may wait for the lock when it is freed, and never get it.
  pthread_mutex_lock(l);
#endif
  pthread_create(&t, NULL, worker, l);
#if defined GOT_LAST || defined BUG_GOT_FIRST
  pthread_mutex_lock(l);
  int last = done;
  pthread_mutex_unlock(l);
#ifdef BUG_GOT_FIRST
  last = !last;
#endif
  if (last)
    free(l); //! use-after-free
  pthread_join(t, NULL);
  if (!last)
    free(l);
#elif defined BUG_NO_JOIN || defined BUG_TRY || defined BUG_WAITS
  free(l); //! use-after-free
  pthread_join(t, NULL);
#else
  pthread_join(t, NULL);
  free(l);
#endif
}
