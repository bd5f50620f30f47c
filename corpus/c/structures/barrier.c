// about: a barrier that can be used again: its sense changes every time
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_RELAXED_ARRIVE | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_RELAXED_OPEN | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_SENSE | sc tso pso ra | verdict=violation violation=assertion
// run: -DBUG_NO_SENSE | rc11 rc20 | verdict=violation
// run: -DBUG_LATE_RESET | sc tso pso ra rc11 rc20 | verdict=violation violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#define N 2
#define PHASES 2

#ifdef BUG_RELAXED_ARRIVE
#define ARRIVED memory_order_relaxed
#else
#define ARRIVED memory_order_acq_rel
#endif
#ifdef BUG_RELAXED_OPEN
#define OPENED memory_order_relaxed
#else
#define OPENED memory_order_release
#endif

static atomic_int missing = N, sense;
static int a[N];

static void meet(int *my_sense) {
#ifdef BUG_NO_SENSE
  *my_sense = 1;
#else
  *my_sense = 1 - *my_sense;
#endif
  if (atomic_fetch_sub_explicit(&missing, 1, ARRIVED) == 1) {
#ifdef BUG_LATE_RESET
    atomic_store_explicit(&sense, *my_sense, OPENED);
    atomic_store_explicit(&missing, N, memory_order_relaxed);
#else
    atomic_store_explicit(&missing, N, memory_order_relaxed);
    atomic_store_explicit(&sense, *my_sense, OPENED);
#endif
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != *my_sense) //! liveness
      ;
  }
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  int my_sense = 0;
  for (int phase = 1; phase <= PHASES; phase++) {
    a[me] = phase; //! race
    meet(&my_sense);
    int other = a[1 - me];  //! race
    assert(other == phase); //! assertion
    meet(&my_sense);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
