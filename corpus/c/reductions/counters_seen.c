// about: updates whose results nobody looks at, and whose order is seen: races and assertions that a reduction must keep
// from: by hand
// run: -DACQUIRES | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -DACQUIRES | rc11 rc20 --reductions none | verdict=violation violation=race
// run: -DACQUIRES | sc --reductions counters | verdict=verified executions=2
// run: -DACQUIRES | ra --reductions counters | verdict=verified executions=3
// run: -DBETWEEN | rc11 rc20 --reductions all | verdict=violation violation=assertion
// run: -DBETWEEN | rc11 rc20 --reductions none | verdict=violation violation=assertion
// run: -DPOSTS | rc11 rc20 --reductions all | verdict=violation violation=race
// run: -DPOSTS | rc11 rc20 --reductions none | verdict=violation violation=race
// run: -DORDERED | ra rc11 rc20 --reductions counters | verdict=verified
// run: -DORDERED | ra rc11 rc20 --reductions none | verdict=verified
// run: -DFENCED | rc11 rc20 --reductions counters | verdict=verified
// run: -DFENCED | rc11 rc20 --reductions none | verdict=verified
// run: -DDRAINED | sc tso pso --reductions counters | verdict=verified
// run: -DJOINED | rc11 rc20 --reductions counters | verdict=verified
// run: -DBUFFERED | pso --reductions counters | verdict=violation violation=assertion
// run: -DBUFFERED | rc11 rc20 --reductions counters | verdict=violation violation=assertion
// run: -DBUFFERED | sc tso ra --reductions counters | verdict=verified
// run: -DAROUND | rc11 rc20 --reductions counters | verdict=verified
// run: -DAROUND | rc11 rc20 --reductions none | verdict=verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x, a, b;
static int d;
static atomic_int seen_a, seen_b;
static sem_t sem;

#define RELAXED memory_order_relaxed
#define ADD(at, order) atomic_fetch_add_explicit(at, 1, memory_order_##order)

static void *first(void *arg) {
#ifdef ACQUIRES
  d = 1;
  ADD(&x, release);
#elif defined BETWEEN
  atomic_store_explicit(&a, 1, RELAXED);
  ADD(&x, release);
#elif defined POSTS
  d = 1;
  sem_post(&sem);
#elif defined ORDERED
  // The two updates stand in some order: one of the threads hears of the other's store.
  atomic_store_explicit(&a, 1, RELAXED);
  ADD(&x, acq_rel);
  atomic_store_explicit(&seen_b, 1 - atomic_load_explicit(&b, RELAXED), RELAXED);
#elif defined FENCED
  atomic_store_explicit(&a, 1, RELAXED);
  atomic_thread_fence(memory_order_acq_rel);
  ADD(&x, relaxed);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_store_explicit(&seen_b, 1 - atomic_load_explicit(&b, RELAXED), RELAXED);
#elif defined DRAINED
  atomic_store_explicit(&a, 1, RELAXED);
  ADD(&x, relaxed);
  atomic_store_explicit(&seen_b, 1 - atomic_load_explicit(&b, RELAXED), RELAXED);
#elif defined JOINED
  atomic_store_explicit(&a, 1, RELAXED);
  ADD(&x, acq_rel);
#elif defined BUFFERED
  atomic_store_explicit(&x, 5, RELAXED);
  atomic_store_explicit(&a, 1, RELAXED);
#elif defined AROUND
  // Its update comes before that of the second thread, since b leads there, but what it did happens before nothing there.
  atomic_store_explicit(&a, 1, RELAXED);
  atomic_thread_fence(memory_order_seq_cst);
  ADD(&x, relaxed);
  atomic_store_explicit(&b, 1, RELAXED);
#endif
  return arg;
}

static void *second(void *arg) {
#ifdef ACQUIRES
  ADD(&x, acquire);
  return d ? arg : NULL;
#elif defined BETWEEN
  ADD(&x, release);
#elif defined POSTS
  sem_post(&sem);
#elif defined ORDERED
  atomic_store_explicit(&b, 1, RELAXED);
  ADD(&x, acq_rel);
  atomic_store_explicit(&seen_a, 1 - atomic_load_explicit(&a, RELAXED), RELAXED);
#elif defined FENCED
  atomic_store_explicit(&b, 1, RELAXED);
  atomic_thread_fence(memory_order_acq_rel);
  ADD(&x, relaxed);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_store_explicit(&seen_a, 1 - atomic_load_explicit(&a, RELAXED), RELAXED);
#elif defined DRAINED
  atomic_store_explicit(&b, 1, RELAXED);
  ADD(&x, relaxed);
  atomic_store_explicit(&seen_a, 1 - atomic_load_explicit(&a, RELAXED), RELAXED);
#elif defined JOINED
  atomic_store_explicit(&b, 1, RELAXED);
  ADD(&x, acq_rel);
#elif defined BUFFERED
  if (atomic_load_explicit(&a, RELAXED))
    ADD(&x, relaxed);
  else
    atomic_store_explicit(&seen_a, 1, RELAXED);
#elif defined AROUND
  if (atomic_load_explicit(&seen_b, RELAXED)) {
    ADD(&x, relaxed);
    atomic_store_explicit(&seen_a, 1, memory_order_release);
  }
#endif
  return arg;
}

#ifdef AROUND
static void *between(void *arg) {
  if (atomic_load_explicit(&b, RELAXED))
    atomic_store_explicit(&seen_b, 1, RELAXED);
  return arg;
}

static void *last(void *arg) {
  if (atomic_load_explicit(&seen_a, memory_order_acquire)) {
    atomic_thread_fence(memory_order_seq_cst);
    assert(atomic_load_explicit(&a, RELAXED));
  }
  return arg;
}
#endif

int main(void) {
  pthread_t one, two;
  sem_init(&sem, 0, 0);
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
#ifdef AROUND
  pthread_t three, four;
  pthread_create(&three, NULL, between, NULL);
  pthread_create(&four, NULL, last, NULL);
#endif
#ifdef BETWEEN
  if (atomic_load_explicit(&x, memory_order_acquire) == 1)
    assert(atomic_load_explicit(&a, RELAXED) == 1);
#elif defined POSTS
  sem_wait(&sem);
  assert(d >= 0);
#elif defined JOINED
  // Whichever was first, the other one has heard of it.
  pthread_join(two, NULL);
  int heard_a = atomic_load_explicit(&a, RELAXED);
  pthread_join(one, NULL);
  assert(heard_a + atomic_load_explicit(&b, RELAXED) > 0);
  return 0;
#endif
  pthread_join(one, NULL);
  pthread_join(two, NULL);
#ifdef BUFFERED
  assert(seen_a || atomic_load(&x) != 5);
#endif
#if defined ORDERED || defined FENCED || defined DRAINED
  assert(!(atomic_load(&seen_a) && atomic_load(&seen_b)));
#endif
  return 0;
}
