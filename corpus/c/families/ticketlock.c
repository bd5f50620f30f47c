// about: a ticket lock that spins without bound around a plain datum
// from: formula N!; 720: GenMC 0.11, the GenMC-XMM thesis; 5040 and 40320: GenMC 0.11
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=3 | rc11 rc20 | verdict=verified executions=6
// run: -DN=4 | rc11 rc20 | verdict=verified executions=24
// run: -DN=6 | rc11 rc20 | verdict=verified executions=720
// run: -DN=4 | rc11 rc20 --equivalence co | verdict=verified executions=24
// long: -DN=7 | rc11 rc20 | verdict=verified executions=5040
// long: -DN=8 | rc11 rc20 | verdict=verified executions=40320
// run: -DN=3 | xmm | verdict=verified executions=6
// run: -DN=3 | xmm --equivalence co | verdict=verified executions=6
// run: -DN=6 | xmm | verdict=verified executions=720
// run: -DN=6 | xmm --equivalence co | verdict=verified executions=720
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int next, owner;
static int datum;

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&owner, memory_order_acquire) != ticket)
    ;
  datum = id;
  assert(datum == id);
  int now = atomic_load_explicit(&owner, memory_order_relaxed);
  atomic_store_explicit(&owner, now + 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
