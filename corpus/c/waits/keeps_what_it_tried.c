// about: a thread that waits for a flag tries a mutex in each round and keeps it. After the first round it is in the same place
// about: with the same values, but with the mutex: that is another state. The thread leaves the loop without the mutex (it saw
// about: the flag at once) or with it
// from: by hand: whether the mutex can be taken after the loop says which
// run: | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion
// run: | sc rc20 --all --locks ordered | verdict=violation violation=assertion
// run: -DOTHER | sc tso pso ra rc11 rc20 --all | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *waiter(void *arg) {
  while (!atomic_load(&flag))
    pthread_mutex_trylock(&m);
  int got = pthread_mutex_trylock(&m) == 0;
#ifdef OTHER
  assert(!got); //! assertion
#else
  assert(got); //! assertion
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&flag, 1);
  pthread_join(t, 0);
}
