// about: load buffering beside critical sections of a reader-writer lock: two readers, readers and a writer, a reader and a writer, a deadlock
// from: by hand: readers do not order each other, so loads are buffered as without sections (4 instead of 3); a writer between
// from: two readers orders them, before or after both it orders nothing between them: 2 + 2 + 3 + 3, and 2 more under xmm
// run: -DSHAPE=1 | rc20 --locks ordered | verdict=verified executions=3 outcomes=0.0,0.1,1.0
// run: -DSHAPE=1 | xmm | verdict=verified executions=4 outcomes=0.0,0.1,1.0,1.1
// run: -DSHAPE=1 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0,0.1,1.0,1.1
// run: -DSHAPE=1 | xmm --xmm-rules nocr | verdict=verified executions=4 outcomes=0.0,0.1,1.0,1.1
// run: -DSHAPE=2 | rc20 --locks ordered | verdict=verified executions=10 outcomes=0.0,0.1,1.0
// run: -DSHAPE=2 | xmm | verdict=verified executions=12 outcomes=0.0,0.1,1.0,1.1
// run: -DSHAPE=2 | xmm --equivalence co | verdict=verified executions=12 outcomes=0.0,0.1,1.0,1.1
// run: -DSHAPE=3 | rc20 --locks ordered | verdict=verified executions=4 outcomes=0.0,0.1,1.0
// run: -DSHAPE=3 | xmm | verdict=verified executions=4 outcomes=0.0,0.1,1.0
// run: -DSHAPE=3 | xmm --equivalence co | verdict=verified executions=4 outcomes=0.0,0.1,1.0
// run: -DSHAPE=4 | rc20 | verdict=verified outcomes=0.0,0.1,1.0
// run: -DSHAPE=4 | xmm | verdict=violation violation=deadlock
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <raveler.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int x, y;
static int a, b;

static void section(int writes) {
  writes ? pthread_rwlock_wrlock(&l) : pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
}

#if SHAPE < 4

static void *first(void *arg) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  section(0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

static void *second(void *arg) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  section(SHAPE == 3);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

#else

/* Both hold one lock and want the other only if both loads are buffered. */
static void both(pthread_rwlock_t *own, pthread_rwlock_t *other, int wants) {
  pthread_rwlock_wrlock(own);
  if (wants) {
    pthread_rwlock_rdlock(other); //! deadlock
    pthread_rwlock_unlock(other);
  }
  pthread_rwlock_unlock(own);
}

static void *first(void *arg) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  both(&l, &m, a);
  return NULL;
}

static void *second(void *arg) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  both(&m, &l, b);
  return NULL;
}

#endif

static void *third(void *arg) {
  section(1);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  if (SHAPE == 2)
    pthread_create(&t[2], NULL, third, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  if (SHAPE == 2)
    pthread_join(t[2], NULL);
  rv_observe("a", a);
  rv_observe("b", b);
  return 0;
}
