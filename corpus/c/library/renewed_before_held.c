// about: a lock is destroyed and initialised anew in a section of another lock, in whose next section a thread takes it for good
// from: by hand: the sections of `guard` keep the two apart. If the one that renews comes first, the lock is taken after that, and
// from: all ends well. If it comes second, it never comes, since `guard` is not released: a deadlock. In no order is the lock held
// from: when it is destroyed. Without `guard` it may be
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation kinds=deadlock
// run: | sc tso pso ra rc11 rc20 --all --locks ordered | verdict=violation kinds=deadlock
// run: -DREADER | sc ra rc20 --all | verdict=violation kinds=deadlock
// run: -DREADER | sc ra rc20 --all --locks ordered | verdict=violation kinds=deadlock
// run: -DBUG_NO_GUARD | sc ra rc20 | verdict=violation violation=lock-misuse
// run: -DBUG_NO_GUARD | sc ra rc20 --locks ordered | verdict=violation violation=lock-misuse
#include <pthread.h>
#include <stddef.h>

#ifdef READER
static pthread_rwlock_t l;
#define INIT() pthread_rwlock_init(&l, NULL)
#define LOCK() pthread_rwlock_rdlock(&l)
#define UNLOCK() pthread_rwlock_unlock(&l)
#define DESTROY() pthread_rwlock_destroy(&l)
#else
static pthread_mutex_t l;
#define INIT() pthread_mutex_init(&l, NULL)
#define LOCK() pthread_mutex_lock(&l)
#define UNLOCK() pthread_mutex_unlock(&l)
#define DESTROY() pthread_mutex_destroy(&l)
#endif
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifndef BUG_NO_GUARD
  pthread_mutex_lock(&guard); //! deadlock
#endif
}

static void leave(void) {
#ifndef BUG_NO_GUARD
  pthread_mutex_unlock(&guard);
#endif
}

static void *renews(void *unused) {
  enter();
  DESTROY(); //! lock-misuse
  INIT();    //! lock-misuse
  leave();
  return unused;
}

int main(void) {
  pthread_t t;
  INIT();
  pthread_create(&t, NULL, renews, NULL);
  enter();
  LOCK(); //! lock-misuse
  UNLOCK(); //! lock-misuse
  LOCK(); //! lock-misuse
  pthread_join(t, NULL); //! deadlock
  return 0;
}
