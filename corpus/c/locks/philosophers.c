// about: N philosophers take the left fork, then the right one; with POLITE the last one begins with the right
// from: brute force (aware N=2, 3; ordered N=2..5: 2^N-2)
// run: -DN=2 | sc ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=1
// run: -DN=2 | sc ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=2
// run: -DN=3 | sc ra rc11 rc20 --locks aware --all | verdict=violation violation=deadlock executions=1
// run: -DN=3 | sc ra rc11 rc20 --locks ordered --all | verdict=violation violation=deadlock executions=6
// run: -DN=4 | rc20 --locks ordered --all | verdict=violation violation=deadlock executions=14
// run: -DN=5 | rc20 --locks ordered --all | verdict=violation violation=deadlock executions=30
// run: -DN=5 | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DN=3 -DPOLITE | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DN=5 -DPOLITE | rc20 | verdict=verified
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_[N];

static void *dine(void *arg) {
  int first = (int)(intptr_t)arg;
  int second = (first + 1) % N;
#ifdef POLITE
  if (second < first) {
    second = first;
    first = 0;
  }
#endif
  pthread_mutex_lock(&fork_[first]);
  pthread_mutex_lock(&fork_[second]); //! deadlock
  pthread_mutex_unlock(&fork_[second]);
  pthread_mutex_unlock(&fork_[first]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_[i], NULL);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, dine, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL); //! deadlock
}
