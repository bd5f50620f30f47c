// about: memory must be allocated before another thread uses it; who has read its address need not know that it is
// from: by hand: only atomic accesses, so no two of them race. But an allocation may change the memory that it gives (C11,
// from: 7.22.3) and begins its life, so a use that it does not happen before is a race with it. A relaxed load of
// from: the address orders nothing (rc11, rc20, xmm); in the other models what is read has happened before. Two executions,
// from: in which the address is seen or not
// run: | sc tso pso sra ra rc11 rc20 xmm | verdict=verified executions=2
// run: -DCONSUMER_FENCE -DBUG_LOAD | rc11 rc20 xmm | verdict=verified executions=2
// run: -DBUG_LOAD | sc tso pso sra ra | verdict=verified executions=2
// run: -DBUG_LOAD | rc11 rc20 xmm | verdict=violation violation=race
// run: -DBUG_LOAD | rc11 rc20 xmm --all | verdict=violation kinds=race executions=2
// run: -DBUG_LOAD | rc20 --races ignore | verdict=verified executions=2
// run: -DBUG_STORE | rc11 rc20 xmm | verdict=violation violation=race
// run: -DBUG_LOAD -DZEROED | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_LOAD -DLOCAL | rc11 rc20 | verdict=violation violation=race
// run: -DLOCAL | rc11 rc20 | verdict=verified executions=2
// run: -DBUG_LOAD -DGIVEN_BACK | rc20 --locks aware --all | verdict=violation kinds=race,use-after-free
// run: -DGIVEN_BACK | rc20 | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG_LOAD
#define LOADED memory_order_relaxed
#else
#define LOADED memory_order_acquire
#endif
#ifdef BUG_STORE
#define STORED memory_order_relaxed
#else
#define STORED memory_order_release
#endif

struct counter {
  atomic_int n;
};

static _Atomic(struct counter *) shared;

static void publish(struct counter *c) {
  atomic_store_explicit(&c->n, 1, memory_order_relaxed);
  atomic_store_explicit(&shared, c, STORED);
}

static void *maker(void *unused) {
  (void)unused;
#ifdef ZEROED
  publish(calloc(1, sizeof(struct counter))); //! race
#else
  publish(malloc(sizeof(struct counter))); //! race
#endif
  return NULL;
}

static void *user(void *unused) {
  (void)unused;
  struct counter *c = atomic_load_explicit(&shared, LOADED);
#ifdef CONSUMER_FENCE
  atomic_thread_fence(memory_order_acquire);
#endif
  if (c) {
    atomic_store_explicit(&c->n, 2, memory_order_relaxed); //! race
#ifdef GIVEN_BACK
    free(c); //! race
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&b, NULL, user, NULL);
#ifdef LOCAL
  struct counter here; //! race
  publish(&here);
  (void)a, (void)maker;
#else
  pthread_create(&a, NULL, maker, NULL);
  pthread_join(a, NULL);
#endif
  pthread_join(b, NULL);
  return 0;
}
