// about: a program as CDSChecker takes it: user_main, MODEL_ASSERT, accesses that may race
// from: by hand
// run: | rc11 rc20 | executions=2 verdict=verified
// run: -DBUG_RELAXED | rc11 rc20 | verdict=violation violation=race
#include <librace.h>
#include <model-assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int ready;
static uint32_t data;

static void writer(void *arg) {
  (void)arg;
  store_32(&data, 42); //! race
#ifdef BUG_RELAXED
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
#else
  atomic_store_explicit(&ready, 1, memory_order_release);
#endif
}

int user_main(int argc, char **argv) {
  thrd_t t;
  (void)argc;
  (void)argv;
  thrd_create(&t, (thrd_start_t)&writer, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire))
    MODEL_ASSERT(load_32(&data) == 42); //! race
  thrd_join(t);
  return 0;
}
