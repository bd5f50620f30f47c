// about: barriers whose arrivals have no order, in a program with locks: a thread that waits for others to come may still
// about: write, inside a section or outside, what another section reads
// from: by hand: the reader's section sees the flag before or after it is set, in whichever section comes first
// run: | sc tso pso ra rc11 rc20 --reductions all | verdict=verified executions=2
// run: | sc rc20 --reductions all --locks ordered | verdict=verified executions=2
// run: | sc rc20 --reductions none | verdict=verified executions=4
// run: -DHELD | sc tso pso ra rc11 rc20 --reductions all | verdict=violation violation=deadlock
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <raveler.h>

static pthread_barrier_t b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *early(void *arg) {
  (void)arg;
#ifdef HELD
  // The other one waits for the lock and never comes.
  pthread_mutex_lock(&m);
  pthread_barrier_wait(&b); //! deadlock
  pthread_mutex_unlock(&m);
#else
  pthread_barrier_wait(&b);
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
#endif
  return 0;
}

static void *late(void *arg) {
  (void)arg;
#ifdef HELD
  pthread_mutex_lock(&m); //! deadlock
  pthread_mutex_unlock(&m);
#endif
  pthread_barrier_wait(&b);
  return 0;
}

static void *reader(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  int seen = flag;
  pthread_mutex_unlock(&m);
  rv_observe("seen", seen);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 2);
  // The reader is asked first.
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, early, 0);
  pthread_create(&t[2], 0, late, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0); //! deadlock
}
