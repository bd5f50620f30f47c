// about: what a futile round reads is written or freed by another thread, which shows only if the waiting thread goes on
// from: by hand: `y` is written and read relaxed, so nothing orders the read of `d` in an earlier round with what the other thread
// from: does once it has seen `y`: a race or a use after free. Where that thread has joined the waiting one, or did it before it
// from: was started, they are ordered; where both accesses are atomic there is no race. Where happens-before contains
// from: reads-from (sc, tso, pso, ra) the read of `y` orders them
// run: | rc11 rc20 | verdict=violation violation=race
// run: | sc tso pso ra | verdict=verified
// run: -DBY_MAIN | rc11 rc20 | verdict=violation violation=race
// run: -DBY_MAIN -DJOINS_ANOTHER | rc11 rc20 | verdict=violation violation=race
// run: -DBY_MAIN -DJOINS_ALL | rc11 rc20 | verdict=verified
// run: -DBY_MAIN -DBEFORE | rc11 rc20 | verdict=verified
// run: -DBY_MAIN -DBETWEEN | rc11 rc20 | verdict=violation violation=race
// run: -DNESTED | rc11 rc20 | verdict=violation violation=race
// run: -DJOINED_ELSEWHERE | rc11 rc20 | verdict=verified
// run: -DWRITES_ATOMICALLY | rc11 rc20 | verdict=violation violation=race
// run: -DREADS_ATOMICALLY | rc11 rc20 | verdict=violation violation=race
// run: -DREADS_ATOMICALLY -DWRITES_ATOMICALLY | rc11 rc20 | verdict=verified
// run: -DREADS_ATOMICALLY -DFREED | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DREADS_ATOMICALLY -DFREED | rc20 --races ignore | verdict=violation violation=use-after-free
// run: -DREADS_ATOMICALLY -DFREED -DBY_MAIN -DJOINS_ALL | rc11 rc20 | verdict=verified
// run: -DREADS_ATOMICALLY -DOWNER | rc11 rc20 | verdict=violation violation=use-after-free
// run: -DWRITTEN_FIRST | rc11 rc20 | verdict=violation violation=race
// run: -DWRITTEN_FIRST | rc11 rc20 --equivalence co | verdict=violation violation=race
// run: -DOTHER_HALF | rc11 rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
#ifdef WRITTEN_FIRST
static atomic_int first;
#endif
static int global[2];
static int *d = &global[0];
static atomic_int *_Atomic owned;

#ifdef OTHER_HALF
#define WRITTEN (&global[1])
#else
#define WRITTEN d
#endif

static int look(void) {
#ifdef OWNER
  return atomic_load_explicit(atomic_load_explicit(&owned, memory_order_acquire), memory_order_relaxed); //! use-after-free
#elif defined(READS_ATOMICALLY)
  return __atomic_load_n(d, __ATOMIC_RELAXED); //! race use-after-free
#else
  return *d; //! race
#endif
}

static void disturb(void) {
#ifdef FREED
  free(d); //! use-after-free
#elif defined(WRITES_ATOMICALLY)
  __atomic_store_n(WRITTEN, 1, __ATOMIC_RELAXED); //! race
#else
  *WRITTEN = 1; //! race
#endif
}

// Something else is written there first, which all know to be over.
static void wait_for_first(void) {
#ifdef WRITTEN_FIRST
  while (!atomic_load_explicit(&first, memory_order_acquire))
    ;
#endif
}

static void *waits(void *unused) {
  wait_for_first();
#ifdef OWNER
  while (!atomic_load_explicit(&owned, memory_order_acquire))
    ;
#endif
  while (!atomic_load_explicit(&x, memory_order_relaxed))
    (void)look();
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *lets_go(void *unused) {
#ifdef WRITTEN_FIRST
  *d = 0;
  atomic_store_explicit(&first, 1, memory_order_release);
#endif
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *disturbs(void *waiting) {
#ifdef OWNER
  atomic_int mine = 0;
  atomic_store_explicit(&owned, &mine, memory_order_release);
  while (!atomic_load_explicit(&y, memory_order_relaxed))
    ;
  return waiting;
#else
#ifdef JOINED_ELSEWHERE
  pthread_join(*(pthread_t *)waiting, NULL);
#endif
  wait_for_first();
  if (atomic_load_explicit(&y, memory_order_relaxed))
    disturb();
  return NULL;
#endif
}

static void *starts(void *waiting) {
  pthread_t t;
  pthread_create(&t, NULL, disturbs, waiting);
  pthread_join(t, NULL);
  return NULL;
}

int main(void) {
  pthread_t waiting, other, third;
#ifdef FREED
  d = malloc(sizeof *d);
  *d = 0;
#endif
#ifdef BEFORE
  disturb();
#endif
  pthread_create(&waiting, NULL, waits, NULL);
#ifdef BETWEEN
  disturb();
#endif
  pthread_create(&other, NULL, lets_go, NULL);
#ifdef BY_MAIN
  (void)third, (void)starts;
#ifdef JOINS_ANOTHER
  pthread_join(other, NULL);
#endif
#ifdef JOINS_ALL
  pthread_join(other, NULL);
  pthread_join(waiting, NULL);
#endif
#if !defined(BEFORE) && !defined(BETWEEN)
  disturbs(NULL);
#endif
#elif defined(NESTED)
  pthread_create(&third, NULL, starts, NULL);
#else
  (void)starts;
  pthread_create(&third, NULL, disturbs, &waiting);
#endif
#ifndef BY_MAIN
  pthread_join(third, NULL);
#endif
#ifndef JOINED_ELSEWHERE
#ifndef JOINS_ALL
  pthread_join(waiting, NULL);
#endif
#endif
#if !defined(JOINS_ALL) && !defined(JOINS_ANOTHER)
  pthread_join(other, NULL);
#endif
  return 0;
}
