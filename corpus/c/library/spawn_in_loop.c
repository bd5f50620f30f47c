// about: a loop that starts threads without end is named and followed for a few rounds; with --unroll for as many as it says
// from: by hand
// run: | sc rc20 | verdict=inconclusive
// run: | sc rc20 --unroll 2 | verdict=inconclusive
// run: -DCOUNTED | sc rc20 | verdict=verified executions=1
// run: -DBUG | sc --unroll 2 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
#ifdef BUG
  assert(!__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED)); //! assertion(BUG)
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef COUNTED
  for (int i = 0; i < 20; i++)
#else
  for (;;)
#endif
    pthread_create(&thread, 0, work, 0);
  return 0;
}
