// about: Peterson's algorithm with unbounded waits, seq_cst; it does not exclude under ra
// from: brute force
// run: | sc rc20 | verdict=verified executions=4
// run: | sc rc20 --equivalence co | verdict=verified executions=4
// run: | ra | verdict=verified executions=13
// run: | ra --equivalence co | verdict=verified executions=22
// run: -DASSERT | sc tso pso rc11 rc20 | verdict=verified
// run: -DASSERT | ra | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

static atomic_int flag[2], turn;
static int d;

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  int other = 1 - me;
  atomic_store(&flag[me], 1);
  atomic_store(&turn, other);
  while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
    ;
  d = d + 1;
  atomic_store_explicit(&flag[me], 0, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef ASSERT
  assert(d == 2); //! assertion
#endif
}
