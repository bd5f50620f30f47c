// about: a lock and an event made of a futex, by its system call: who waits may wake up for no reason, which such programs expect
// about: (three states of the lock: free, taken, taken and waited for)
// from: by hand: the lock keeps the two threads apart, and the event hands on what was written before it; it is seen by the first
// from: look, or by the call that waits
// run: -DLOCK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DLOCK -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
// run: -DEVENT | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DEVENT -DBUG_ONCE | sc rc20 | verdict=violation violation=assertion
// run: -DPROCESSORS | sc rc20 | verdict=verified executions=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BUG_RELAXED
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_int word;
static int data;

static int wait_for(atomic_int *at, int value) {
  return syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(atomic_int *at) { syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &seen, 1, ACQUIRE, memory_order_relaxed))
    return;
  while (atomic_exchange_explicit(&word, 2, ACQUIRE))
    wait_for(&word, 2);
}

static void unlock(void) {
  if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
    wake(&word);
}

static void *run(void *arg) {
#ifdef LOCK
  lock();
  data++; //! race
  unlock();
#else
  data = 1;
  atomic_store_explicit(&word, 1, memory_order_release);
  wake(&word);
#endif
  return arg;
}

int main(void) {
#ifdef PROCESSORS
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_PAGESIZE) == 4096);
  assert(wait_for(&word, 1) == -1 && errno == EAGAIN);
  assert(syscall(SYS_gettid) == syscall(SYS_gettid));
  return 0;
#endif
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
#ifdef LOCK
  lock();
  data++; //! race
  unlock();
#elif defined(BUG_ONCE)
  wait_for(&word, 0);
  assert(atomic_load_explicit(&word, memory_order_acquire)); //! assertion
#else
  while (!atomic_load_explicit(&word, memory_order_acquire))
    wait_for(&word, 0);
  assert(data == 1);
#endif
  pthread_join(t, NULL);
  return 0;
}
