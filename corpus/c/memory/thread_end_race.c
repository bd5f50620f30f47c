// about: a thread uses a local variable of another thread while that one ends
// from: by hand: nothing orders the use before the end (default); with HANDSHAKE the owner waits until the user has said that
// from: it is done, so the variable is there; main's own variables end with pthread_exit, but the end of main by return ends
// from: the process, and no thread comes too late
// run: -DEXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DRETURN | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DEXIT -DHANDSHAKE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DRETURN -DHANDSHAKE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMAIN_EXIT | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DMAIN_EXIT -DHANDSHAKE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DMAIN_JOINS | sc tso pso ra rc11 rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *user(void *arg) {
  atomic_int *v = arg;
  atomic_store(v, 1); //! use-after-free
  atomic_store(&done, 1);
  return NULL;
}

static void *owner(void *arg) {
  atomic_int v = 0;
  pthread_t t;
  pthread_create(&t, NULL, user, &v);
#ifdef HANDSHAKE
  while (!atomic_load(&done))
    ;
#endif
#ifdef EXIT
  pthread_exit(arg); //! use-after-free
#endif
  return arg;
} //! use-after-free

int main(void) {
#if defined MAIN_EXIT || defined MAIN_JOINS
  atomic_int v = 0;
  pthread_t t;
  pthread_create(&t, NULL, user, &v);
#ifdef HANDSHAKE
  while (!atomic_load(&done))
    ;
#endif
#ifdef MAIN_EXIT
  pthread_exit(NULL); //! use-after-free
#endif
  pthread_join(t, NULL);
#else
  pthread_t t;
  pthread_create(&t, NULL, owner, NULL);
  pthread_join(t, NULL);
#endif
  return 0;
}
