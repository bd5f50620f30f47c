// about: a buffer of one place with a mutex and two condition variables; one producer of two items, two consumers
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_IF | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_ONE_CONDITION | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_SIGNAL | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_UNLOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#define PLACES 1
#define ITEMS 2

#ifdef BUG_IF
#define WHILE if
#else
#define WHILE while
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#ifdef BUG_ONE_CONDITION
#define not_full not_empty
#else
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#endif
static int buffer[PLACES], count;
static int got[ITEMS];

static void put(int v) {
  pthread_mutex_lock(&l); //! deadlock
  while (count == PLACES)
    pthread_cond_wait(&not_full, &l); //! deadlock
  buffer[count++] = v;
#ifndef BUG_NO_SIGNAL
  pthread_cond_signal(&not_empty);
#endif
  pthread_mutex_unlock(&l);
}

static int take(void) {
  pthread_mutex_lock(&l); //! deadlock
  WHILE(count == 0)
    pthread_cond_wait(&not_empty, &l); //! deadlock
  assert(count > 0);                   //! assertion
  int v = buffer[--count];
  pthread_cond_signal(&not_full);
#ifndef BUG_NO_UNLOCK
  pthread_mutex_unlock(&l);
#endif
  return v;
}

static void *producer(void *arg) {
  (void)arg;
  for (int i = 1; i <= ITEMS; i++)
    put(i);
  return NULL;
}

static void *consumer(void *arg) {
  int i = (int)(intptr_t)arg;
  got[i] = take();
  return NULL;
}

int main(void) {
  pthread_t p, c[ITEMS];
  pthread_create(&p, NULL, producer, NULL);
  for (int i = 0; i < ITEMS; i++)
    pthread_create(&c[i], NULL, consumer, (void *)(intptr_t)i);
  pthread_join(p, NULL); //! deadlock
  for (int i = 0; i < ITEMS; i++)
    pthread_join(c[i], NULL); //! deadlock
  assert(got[0] + got[1] == 1 + 2);
}
