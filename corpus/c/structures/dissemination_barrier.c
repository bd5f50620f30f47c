// about: a dissemination barrier of three threads: in round r thread i tells thread i + 2^r; after two rounds each has heard of all
// from: by hand: after one round a thread knows of one other only
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED | sc tso | verdict=verified
// run: -DBUG_RELAXED | pso | verdict=violation violation=assertion
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
// run: -DROUNDS=1 | sc tso pso sra ra | verdict=violation violation=assertion
// run: -DROUNDS=1 | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifdef BUG_RELAXED
#define TELL memory_order_relaxed
#else
#define TELL memory_order_release
#endif

static atomic_int told[2][3];
static int d[3];

static void *run(void *arg) {
  int i = (int)(size_t)arg;
  d[i] = i + 1; //! race
  for (int r = 0; r < ROUNDS; r++) {
    atomic_store_explicit(&told[r][(i + (1 << r)) % 3], 1, TELL);
    while (!atomic_load_explicit(&told[r][i], memory_order_acquire))
      ;
  }
  int sum = 0;
  for (int k = 0; k < 3; k++)
    sum += d[k]; //! race
  assert(sum == 6); //! assertion
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (size_t i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
