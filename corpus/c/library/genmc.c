// about: threads, locks and annotations as programs written for GenMC have them
// from: by hand: the annotations are the operations themselves
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DBUG | sc rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

static atomic_int x, y;
static __VERIFIER_plock_t lock;
static int under_lock;

static void *work(void *by) {
  int old = atomic_load(&y);
  __VERIFIER_method_begin("work", 0);
  __VERIFIER_helping_CAS(atomic_compare_exchange_strong(&y, &old, 7););
  __VERIFIER_plock_lock(&lock);
  __VERIFIER_local_write(under_lock += (int)(long)by);
  __VERIFIER_plock_unlock(&lock);
  __VERIFIER_method_end("work", 0);
  return by;
}

int main(void) {
  __VERIFIER_thread_t thread = __VERIFIER_spawn(work, (void *)2L);
  __VERIFIER_final_write(atomic_store(&x, 1));
  int seen = __VERIFIER_speculative_read(atomic_load(&y));
  assert(seen == 0 || seen == 7);
  long result = (long)__VERIFIER_join(thread);
#ifdef BUG
  assert(seen == __VERIFIER_confirming_read(atomic_load(&y))); //! assertion(BUG)
#endif
  assert(result == 2 && under_lock == 2 && y == 7);
  return 0;
}
