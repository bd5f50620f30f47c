// about: a loop that counts its rounds in an array of its own, not in a variable that could be a register: it gives up after
// about: three rounds and never waits
// from: by hand: the reads see 1; 0 1; 0 0 1; or three times 0
// run: | sc tso pso ra rc11 rc20 --all | verdict=verified executions=4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *reader(void *arg) {
  int counts[4] = {0};
  int at = (int)(long)arg;
  while (!atomic_load(&x)) {
    counts[at]++;
    if (counts[at] == 3)
      break;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, (void *)2);
  atomic_store(&x, 1);
  pthread_join(t, 0);
}
