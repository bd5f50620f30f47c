// about: a function that is to give a value and gives none: no mistake as long as nobody uses it
// from: by hand, C11 6.9.1p12
// run: | sc rc20 | verdict=verified
// run: -DBUG | rc20 | verdict=violation violation=uninitialised-read
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stopped;

static void *work(void *unused) {
  atomic_store(&stopped, 1);
  return;
}

static int choose(int which) {
  if (which)
    return 1;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  choose(0);
#ifdef BUG
  if (choose(0))
    atomic_store(&stopped, 2);
#endif
  return 0;
}
