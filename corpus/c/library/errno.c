// about: errno is each thread's own; a semaphore that cannot be had at once says so
// from: by hand
// run: | sc rc20 | verdict=verified executions=1
// run: -DBUG | sc rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore;

static void *other(void *unused) {
  assert(errno == 0);
  errno = EINVAL;
  assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  assert(strerror(errno) != 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec time = {0, 1};
  sem_init(&semaphore, 0, 0);
  errno = ERANGE;
  pthread_create(&thread, 0, other, 0);
  poll(0, 0, 10);
  usleep(1);
  nanosleep(&time, 0);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, 0);
  pthread_join(thread, 0);
#ifdef BUG
  assert(errno == EAGAIN); //! assertion(BUG)
#else
  assert(errno == ERANGE);
#endif
  return 0;
}
