// about: every kind of synchronisation object against every way in which its memory can go while another thread may use it;
// about: nothing else in that memory is touched
// from: by hand: any use of such an object is an access to its memory. With JOIN the user is joined first, so it is over
// run: -DMUTEX -DFREE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DTHREAD_RETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DTHREAD_EXIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DSPIN -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSPIN -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSPIN -DTHREAD_RETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSPIN -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREAD -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREAD -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREAD -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREAD -DTHREAD_EXIT | sc tso pso ra rc11 rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DWRITE -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DWRITE -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DWRITE -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCOND -DFREE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCOND -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCOND -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCOND -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSEM -DFREE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSEM -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSEM -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSEM -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBARRIER -DFREE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBARRIER -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DBARRIER -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DONCE -DFREE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DONCE -DREALLOC | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DONCE -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DONCE -DTHREAD_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX -DFREE -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMUTEX -DRETURN -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSPIN -DTHREAD_EXIT -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DREAD -DREALLOC -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DWRITE -DTHREAD_RETURN -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DCOND -DTHREAD_EXIT -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSEM -DTHREAD_EXIT -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBARRIER -DTHREAD_EXIT -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DONCE -DTHREAD_EXIT -DJOIN | sc tso pso ra rc11 rc20 | verdict=verified
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#if defined MUTEX
typedef pthread_mutex_t object;
#define INIT(o) pthread_mutex_init(o, NULL)
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#elif defined SPIN
typedef pthread_spinlock_t object;
#define INIT(o) pthread_spin_init(o, 0)
#define USE(o) (pthread_spin_lock(o), pthread_spin_unlock(o))
#elif defined READ || defined WRITE
typedef pthread_rwlock_t object;
#define INIT(o) pthread_rwlock_init(o, NULL)
#ifdef READ
#define USE(o) (pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o))
#else
#define USE(o) (pthread_rwlock_wrlock(o), pthread_rwlock_unlock(o))
#endif
#elif defined COND
typedef pthread_cond_t object;
#define INIT(o) pthread_cond_init(o, NULL)
#define USE(o) pthread_cond_signal(o)
#elif defined SEM
typedef sem_t object;
#define INIT(o) sem_init(o, 0, 0)
#define USE(o) sem_post(o)
#elif defined BARRIER
typedef pthread_barrier_t object;
#define INIT(o) pthread_barrier_init(o, NULL, 1)
#define USE(o) pthread_barrier_wait(o)
#elif defined ONCE
typedef pthread_once_t object;
static void nothing(void) {}
#define INIT(o) (*(o) = (pthread_once_t)PTHREAD_ONCE_INIT)
#define USE(o) pthread_once(o, nothing)
#endif

static pthread_t t;

static void *user(void *o) {
  USE((object *)o); //! use-after-free
  return NULL;
}

static void start(object *o) {
  INIT(o);
  pthread_create(&t, NULL, user, o);
#ifdef JOIN
  pthread_join(t, NULL);
#endif
}

#if defined RETURN
static void scope(void) {
  object o;
  start(&o);
} //! use-after-free
#elif defined THREAD_RETURN || defined THREAD_EXIT
static void *owner(void *arg) {
  object o;
  start(&o);
#ifdef THREAD_EXIT
  pthread_exit(arg); //! use-after-free
#endif
  return arg;
} //! use-after-free
#endif

int main(void) {
#if defined FREE
  object *o = malloc(sizeof *o);
  start(o);
  free(o); //! use-after-free
#elif defined REALLOC
  object *o = calloc(1, sizeof *o);
  start(o);
  o = realloc(o, 2 * sizeof *o); //! use-after-free
  free(o);
#elif defined RETURN
  scope();
#else
  pthread_t u;
  pthread_create(&u, NULL, owner, NULL);
  pthread_join(u, NULL);
#endif
#ifndef JOIN
  pthread_join(t, NULL);
#endif
}
