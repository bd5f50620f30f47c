// about: whoever is the last to use an object frees it: counts of references, a lock inside of the object, an exchanged pointer
// from: by hand. The count is an acquire-release update, so all that others did with the object happens before the last
// from: one's free. RELAXED: nothing orders the other's read of the object before the free; under sc and tso a later
// from: update in coherence order is a later event. EARLY: the object is read again after the own reference was given back.
// from: MUTEX: unlocking is the last use of the object by the thread that is not the last, and happens before the next lock
// from: (POSIX allows to destroy a mutex as soon as it is unlocked). MUTEX LOCKS_AGAIN: the lock is taken again. EXCHANGE:
// from: only one thread gets the pointer. TAKE: both may read it. POLLS: a thread polls under a lock inside of the object, and
// from: nothing says when it is through, so main may only free it after the join (JOINED).
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: | sc rc20 --equivalence co | verdict=verified
// run: -DRELAXED | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DRELAXED | sc tso | verdict=verified
// run: -DEARLY | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMUTEX | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMUTEX | sc rc20 --locks ordered | verdict=verified
// run: -DMUTEX -DLOCKS_AGAIN | sc tso rc20 | verdict=violation
// run: -DMUTEX -DLOCKS_AGAIN | sc rc20 --locks ordered | verdict=violation
// run: -DEXCHANGE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DTAKE | sc tso pso ra rc11 rc20 | verdict=violation violation=double-free
// run: -DPOLLS | sc tso rc20 | verdict=violation violation=use-after-free
// run: -DPOLLS | sc rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DPOLLS -DJOINED | sc tso rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

struct object {
  pthread_mutex_t lock;
  atomic_int references;
  int count, data, set;
};

struct object *_Atomic object;

static void *user(void *unused) {
#if defined MUTEX
  struct object *o = object;
  pthread_mutex_lock(&o->lock); //! use-after-free lock-misuse
  int left = --o->count;
  pthread_mutex_unlock(&o->lock); //! use-after-free lock-misuse
#ifdef LOCKS_AGAIN
  if (left) {
    pthread_mutex_lock(&o->lock); //! use-after-free lock-misuse
    pthread_mutex_unlock(&o->lock); //! use-after-free lock-misuse
  }
#endif
  if (!left) {
    pthread_mutex_destroy(&o->lock); //! use-after-free lock-misuse
    free(o); //! use-after-free lock-misuse
  }
#elif defined EXCHANGE
  struct object *o = atomic_exchange(&object, 0);
  free(o);
#elif defined TAKE
  struct object *o = object;
  free(o); //! double-free
#elif defined POLLS
  struct object *o = object;
  int set;
  do {
    pthread_mutex_lock(&o->lock); //! use-after-free
    set = o->set;                 //! use-after-free
    pthread_mutex_unlock(&o->lock); //! use-after-free
  } while (!set);
#else
  struct object *o = object;
  int data = o->data; //! use-after-free
  int before = atomic_fetch_sub_explicit(&o->references, 1, ORDER); //! use-after-free
  if (before == 1)
    free(o); //! use-after-free
#ifdef EARLY
  else
    data += atomic_load(&o->references); //! use-after-free
#endif
  return (void *)(long)data;
#endif
  return 0;
}

int main(void) {
  struct object *o = malloc(sizeof *o);
  pthread_mutex_init(&o->lock, 0);
  atomic_init(&o->references, 2);
  o->count = 2;
  o->data = 3;
  o->set = 0;
  object = o;
  pthread_t t;
  pthread_create(&t, 0, user, 0);
#ifdef POLLS
  pthread_mutex_lock(&o->lock);
  o->set = 1;
  pthread_mutex_unlock(&o->lock);
#ifdef JOINED
  pthread_join(t, 0);
  free(o);
#else
  free(o); //! use-after-free
  pthread_join(t, 0);
#endif
#else
  user(0);
  pthread_join(t, 0);
#endif
  return 0;
}
