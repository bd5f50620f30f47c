// about: a thread waits for the third value of a variable of which it can only read the second, before another thread may write;
// about: beside it one read has two values, so that the thread waits there for the second time
// from: by hand: the read of `other` sees 0 or 1; the waiting thread ends by reading 3, and the order of writes is that of main and then
// from: of the last thread: two executions in every model
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: | sc tso pso ra rc11 rc20 --equivalence co | verdict=verified executions=2
// run: -DNEVER | sc ra rc11 rc20 | verdict=violation violation=liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word, other, gate;

static void *look(void *arg) {
  (void)atomic_load_explicit(&other, memory_order_relaxed);
  return arg;
}

static void *set(void *arg) {
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  return arg;
}

static void *wait(void *arg) {
  while (atomic_load_explicit(&word, memory_order_acquire) != 3) //! liveness
    ;
  return arg;
}

static void *end(void *arg) {
  (void)atomic_load_explicit(&gate, memory_order_relaxed);
#ifndef NEVER
  atomic_store_explicit(&word, 3, memory_order_release);
#endif
  return arg;
}

int main(void) {
  void *(*const run[])(void *) = {look, set, wait, end};
  pthread_t t[4];
  atomic_store_explicit(&word, 1, memory_order_relaxed);
  atomic_store_explicit(&word, 2, memory_order_relaxed);
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, run[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
}
