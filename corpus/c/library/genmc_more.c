// about: the rest of what programs written for GenMC say: symmetric threads, their numbers, annotations of compare-exchanges,
// about: something optional, memory and locks by the checker's names, bounds of loops
// from: by hand: N additions by equal threads; an annotation is the operation itself; behind something optional is nothing
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_ANNOTATED | sc rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_OPTIONAL | sc rc11 rc20 | verdict=violation violation=assertion
// run: -DBUG_LOCK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_FREED | sc rc11 rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

static atomic_int x, helped;
static __VERIFIER_plock_t lock;
static int under_lock;

static void *work(void *at) {
  int *slot = at;
  int one = 1, two = 2, zero = 0;
  atomic_fetch_add(&x, 1);
#ifndef BUG_LOCK
  __VERIFIER_plock_lock(&lock);
#endif
  under_lock++; //! race
#ifndef BUG_LOCK
  __VERIFIER_plock_unlock(&lock);
#endif
  __VERIFIER_spin_start();
  int seen = __VERIFIER_speculative_read(atomic_load(&helped));
  __VERIFIER_spin_end(seen >= 0);
  __VERIFIER_helped_CAS(atomic_compare_exchange_strong(&helped, &zero, 1););
  if (__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&helped, &one, 2)))
    assert(*slot == 5); //! use-after-free
  __VERIFIER_final_CAS(atomic_compare_exchange_strong(&helped, &two, 2));
  return 0;
}

int main(void) {
  int *slot = __VERIFIER_malloc(sizeof *slot);
  *slot = 5;
  __VERIFIER_loop_bound(4);
  __VERIFIER_thread_t first = __VERIFIER_spawn(work, slot);
  __VERIFIER_thread_t second = __VERIFIER_spawn_symmetric(work, slot, first);
  assert(first != second && __VERIFIER_tid() != first);
#ifdef BUG_OPTIONAL
  __VERIFIER_optional(assert(x == 0)); //! assertion
#else
  __VERIFIER_optional(assert(x <= 2));
#endif
#ifndef BUG_FREED
  __VERIFIER_join_symmetric(first);
  __VERIFIER_join_symmetric(second);
#endif
  __VERIFIER_free(slot); //! use-after-free
#ifdef BUG_FREED
  __VERIFIER_join(first);
  __VERIFIER_join(second);
#endif
#ifdef BUG_ANNOTATED
  __VERIFIER_final_write(atomic_store(&x, 3));
#endif
  assert(x == 2 && under_lock == 2 && helped == 2); //! assertion
  return 0;
}
