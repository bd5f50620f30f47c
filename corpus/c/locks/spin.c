// about: pthread's spin locks; with OPPOSITE two are taken in opposite order
// from: by hand; one lock: formula N!
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DOPPOSITE | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

static pthread_spinlock_t l[2];
static int d;

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  (void)me;
#ifdef OPPOSITE
  pthread_spin_lock(&l[me]);
  pthread_spin_lock(&l[1 - me]); //! deadlock
  pthread_spin_unlock(&l[1 - me]);
  pthread_spin_unlock(&l[me]);
#else
  pthread_spin_lock(&l[0]);
  d++;
  pthread_spin_unlock(&l[0]);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&l[0], PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&l[1], PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL); //! deadlock
  pthread_join(b, NULL); //! deadlock
#ifndef OPPOSITE
  assert(d == 2);
#endif
}
