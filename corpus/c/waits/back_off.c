// about: two threads take two mutexes in opposite order; each tries the second one and gives the first one back if it is taken.
// about: A schedule in which both do so in step for ever exists, but from every state one of them can get both: verified.
// about: THREE: three threads, three mutexes. KEEP: they keep the first mutex while they try: a state without a way out.
// about: ONE: only one of them gives way, which is enough. WAIT: both wait for the second mutex: a deadlock. SPIN: the second
// about: lock is a spin lock, tried as well. MAIN: one of the two is main, which joins the other one when it has both
// from: by hand
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: | sc tso pso ra rc11 rc20 --all --equivalence co | verdict=verified
// run: | sc rc20 --all --locks ordered | verdict=verified
// run: -DTHREE | sc ra rc20 --all | verdict=verified
// run: -DSPIN | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DMAIN | sc tso pso ra rc11 rc20 --all | verdict=verified executions=2
// run: -DMAIN | sc rc20 --all --equivalence co --locks ordered | verdict=verified executions=2
// run: -DKEEP | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DKEEP | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DONE | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DONE | sc rc20 --all --locks ordered | verdict=verified
// run: -DWAIT | sc tso pso ra rc11 rc20 --all | verdict=violation violation=deadlock
// run: -DWAIT | sc rc20 --all --locks ordered | verdict=violation violation=deadlock
#include <pthread.h>

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#ifdef SPIN
static pthread_spinlock_t s;
#endif
static int d;

#ifdef THREE
#define N 3
#else
#define N 2
#endif

#ifdef SPIN
static void *taker(void *arg) {
  long i = (long)arg;
  for (;;) {
    if (i == 0)
      pthread_mutex_lock(&m[0]);
    else
      pthread_spin_lock(&s);
    if ((i == 0 ? pthread_spin_trylock(&s) : pthread_mutex_trylock(&m[0])) == 0)
      break;
    if (i == 0)
      pthread_mutex_unlock(&m[0]);
    else
      pthread_spin_unlock(&s);
  }
  d++;
  pthread_mutex_unlock(&m[0]);
  pthread_spin_unlock(&s);
  return 0;
}
#else
static void *taker(void *arg) {
  long i = (long)arg;
  pthread_mutex_t *first = &m[i], *second = &m[(i + 1) % N];
#if defined(WAIT)
  pthread_mutex_lock(first);
  pthread_mutex_lock(second); //! deadlock
#elif defined(KEEP)
  pthread_mutex_lock(first); //! liveness
  while (pthread_mutex_trylock(second)) //! liveness
    ;
#else
#ifdef ONE
  if (i == 1) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
  } else
#endif
    for (;;) {
      pthread_mutex_lock(first);
      if (pthread_mutex_trylock(second) == 0)
        break;
      pthread_mutex_unlock(first);
    }
#endif
#ifndef THREE
  d++;
#endif
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}
#endif

int main(void) {
  pthread_t t[N];
#ifdef SPIN
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
#endif
#ifdef MAIN
  pthread_create(&t[0], 0, taker, 0);
  taker((void *)1);
  pthread_join(t[0], 0);
#else
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, taker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0); //! liveness deadlock
#endif
}
