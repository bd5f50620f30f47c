// about: a retry loop that begins with a guess: two failed tries that lead back to the guess are a futile round
// from: by hand: the guess is 1 or 2. If it is 1: the first try sees 1 and succeeds, or sees 0, and the second one takes 0. If it
// from: is 2: the first try sees 1, and the second one takes 1. To see 0, then 1, and then take 1 is the first of these with two
// from: failed tries more, after which the thread stands where it stood before them
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=3
// run: | sc ra rc11 rc20 --equivalence co | verdict=verified executions=3
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *take(void *unused) {
  (void)unused;
  int guess = atomic_load(&x) + 1;
  while (!atomic_compare_exchange_strong(&x, &guess, 5))
    ;
  return NULL;
}

static void *give(void *unused) {
  (void)unused;
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, take, NULL);
  pthread_create(&t[1], NULL, give, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
