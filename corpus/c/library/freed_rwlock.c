// about: memory of a reader-writer lock that one thread frees while another may still use the lock; nothing else in it is touched
// from: by hand: any use of a lock is an access to its memory, and the free must come after it
// run: -DREAD | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DREAD | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DWRITE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DWRITE | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified
// run: -DREAD -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREAD -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DWRITE -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DWRITE -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DTRY_READ -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DTRY_READ -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DTRY_WRITE -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DTRY_WRITE -DBUG_NO_JOIN | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <stdlib.h>

#if defined READ
#define TAKE pthread_rwlock_rdlock
#elif defined WRITE
#define TAKE pthread_rwlock_wrlock
#elif defined TRY_READ
#define TAKE pthread_rwlock_tryrdlock
#else
#define TAKE pthread_rwlock_trywrlock
#endif

static void *worker(void *arg) {
  pthread_rwlock_t *l = arg;
  if (TAKE(l) == 0) //! use-after-free
    pthread_rwlock_unlock(l); //! use-after-free
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_rwlock_t *l = malloc(sizeof *l);
  pthread_rwlock_init(l, NULL);
  pthread_create(&a, NULL, worker, l);
  pthread_create(&b, NULL, worker, l);
#ifdef BUG_NO_JOIN
  free(l); //! use-after-free
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#else
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(l);
#endif
}
