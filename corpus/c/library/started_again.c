// about: a thread that starts itself again without end is followed for three generations; one that comes to an end in that
// about: many is verified
// from: by hand
// run: | sc rc20 | verdict=inconclusive executions=0
// run: | sc rc20 --unroll 1 | verdict=inconclusive
// run: -DROUNDS | sc --unroll 2 | verdict=inconclusive
// run: -DCOUNTED | sc rc20 | verdict=verified executions=1
// run: -DBUG | sc rc20 | verdict=violation violation=assertion
// run: -DBUG -DROUNDS | sc --unroll 1 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>

static int x;

static void *again(void *left) {
  pthread_t thread;
#ifdef BUG
  assert(__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED) < 2); //! assertion(BUG)
#endif
#ifdef COUNTED
  if ((long)left > 1)
#endif
#ifdef ROUNDS
  for (;;)
#endif
    pthread_create(&thread, 0, again, (void *)((long)left - 1));
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, again, (void *)3);
  return 0;
}
