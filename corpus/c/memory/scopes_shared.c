// about: variables of blocks that other threads use: their end must come after all uses, and each round has its own
// from: by hand: an access that does not happen before the end of the block is a use after free, as with the end of a call.
// from: One thread per round, joined in it, reads what the round wrote: one execution. A pointer is seen or not: two. A variable
// from: of main lives until the process ends, if nothing but the end of main comes after it
// run: -DJOINED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DJOINED | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=1
// run: -DLATE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLATE | sc rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DSTALE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DPOINTER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DPOINTER -DWAITED | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DSECTION | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSECTION | sc rc20 --locks ordered | verdict=violation violation=use-after-free
// run: -DSECTION -DCLEARED | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DSECTION -DCLEARED | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DLOCAL_LOCK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DLOCAL_LOCK -DLATE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DPOLLS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMAIN_ENDS | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMAIN_ENDS -DNESTED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static int *_Atomic pointer;
static atomic_int done;

struct job {
  int number;
  pthread_mutex_t lock;
};

static void *user(void *arg) {
#if defined POINTER
  int *p = atomic_load_explicit(&pointer, memory_order_acquire);
  if (p) assert(*p == 5); //! use-after-free
  atomic_store_explicit(&done, 1, memory_order_release);
#elif defined SECTION
  pthread_mutex_lock(&m);
  if (shared) assert(*shared == 5); //! use-after-free
  pthread_mutex_unlock(&m);
#elif defined LOCAL_LOCK
  struct job *job = arg;
  pthread_mutex_lock(&job->lock); //! use-after-free
  job->number++;                  //! use-after-free
  pthread_mutex_unlock(&job->lock); //! use-after-free
#elif defined POLLS
  // The variable of the loop ends in each round, so that all rounds are alike.
  for (;;) {
    struct { long a; int seen[3]; } round = {0};
    round.seen[1] = atomic_load_explicit(&done, memory_order_acquire);
    if (*(int *)((char *)&round + offsetof(__typeof__(round), seen[1]))) break;
  }
#elif defined MAIN_ENDS
  assert(*(int *)arg == 5);
#else
  int *p = arg;
  assert(*p == 1 || *p == 2); //! use-after-free
#endif
  return NULL;
}

#if defined STALE
static int *before;

static void *stale(void *arg) {
  (void)arg;
  assert(*before == 1); //! use-after-free
  return NULL;
}
#endif

int main(void) {
  pthread_t t;
#if defined JOINED
  for (int i = 1; i <= 2; i++) {
    int v = i;
    pthread_create(&t, NULL, user, &v);
    pthread_join(t, NULL);
  }
#elif defined STALE
  for (int i = 1; i <= 2; i++) {
    int v = i;
    if (i == 1) before = &v;
    pthread_create(&t, NULL, stale, NULL);
    pthread_join(t, NULL);
  } //! use-after-free
#elif defined POINTER
  pthread_create(&t, NULL, user, NULL);
  {
    int v = 5;
    atomic_store_explicit(&pointer, &v, memory_order_release);
#ifdef WAITED
    while (!atomic_load_explicit(&done, memory_order_acquire))
      ;
    atomic_store_explicit(&pointer, NULL, memory_order_relaxed);
#endif
  } //! use-after-free
  pthread_join(t, NULL);
#elif defined SECTION
  pthread_create(&t, NULL, user, NULL);
  pthread_mutex_lock(&m);
  {
    int v = 5;
    shared = &v;
#ifdef CLEARED
    shared = NULL;
#endif
  } //! use-after-free
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
#elif defined LOCAL_LOCK
  {
    struct job job = {1};
    pthread_mutex_init(&job.lock, NULL);
    pthread_create(&t, NULL, user, &job);
    pthread_mutex_lock(&job.lock);
    job.number++;
    pthread_mutex_unlock(&job.lock);
#ifndef LATE
    pthread_join(t, NULL);
    assert(job.number == 3);
#endif
  } //! use-after-free
#ifdef LATE
  pthread_join(t, NULL);
#endif
#elif defined POLLS
  pthread_create(&t, NULL, user, NULL);
  atomic_store_explicit(&done, 1, memory_order_release);
  pthread_join(t, NULL);
#elif defined MAIN_ENDS
  int v = 5;
#ifdef NESTED
  for (int i = 0; i < 2; i++) {
    int w = 5;
    if (i == 1) {
      pthread_create(&t, NULL, user, &w);
      return 0;
    }
  }
#endif
  pthread_create(&t, NULL, user, &v);
#else
  for (int i = 1; i <= 2; i++) {
    int v = i;
    pthread_create(&t, NULL, user, &v);
  } //! use-after-free
  pthread_join(t, NULL);
#endif
  return 0;
}
