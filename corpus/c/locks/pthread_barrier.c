// about: pthread's barrier orders what comes before it and what comes after; one of the waiters is told to be the last
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DNO_BARRIER | rc11 rc20 | verdict=violation violation=race
// run: -DONE_TOO_MANY | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#define N 2
#ifdef ONE_TOO_MANY
#define WANTED (N + 1)
#else
#define WANTED N
#endif

static pthread_barrier_t b;
static int a[N], last[N];

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  a[me] = 1; //! race
#ifndef NO_BARRIER
  last[me] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD; //! deadlock
#endif
  int other = a[1 - me]; //! race
#ifndef NO_BARRIER
  assert(other == 1);
#endif
  (void)other;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&b, NULL, WANTED);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL); //! deadlock
#ifndef NO_BARRIER
  assert(last[0] + last[1] == 1);
#endif
  pthread_barrier_destroy(&b);
}
