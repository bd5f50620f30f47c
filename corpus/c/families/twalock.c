// about: a ticket lock where those far back wait on an array of their own
// from: GenMC 0.11; 96: also the GenMC-XMM thesis, 4: also the test suite of GenMC
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=2 | rc11 rc20 --equivalence co | verdict=verified executions=4
// run: -DN=3 | rc11 rc20 --equivalence co | verdict=verified executions=96
// run: -DN=3 | xmm --equivalence co | verdict=verified executions=96
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

#define SLOTS 4096
#define NEAR 1

static atomic_int ticket, grant;
static atomic_int waiting[SLOTS];
static int datum;

static void wait_far(int mine) {
  int seen = atomic_load_explicit(&waiting[mine], memory_order_acquire);
  int now = atomic_load_explicit(&grant, memory_order_relaxed);
  while (mine - now > NEAR) {
    int next;
    while ((next = atomic_load_explicit(&waiting[mine], memory_order_acquire)) == seen)
      ;
    seen = next;
    now = atomic_load_explicit(&grant, memory_order_relaxed);
  }
}

static void lock(void) {
  int mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
  int ahead = mine - atomic_load_explicit(&grant, memory_order_acquire);
  if (ahead == 0)
    return;
  if (ahead > NEAR)
    wait_far(mine);
  while (atomic_load_explicit(&grant, memory_order_acquire) != mine)
    ;
}

static void unlock(void) {
  int now = atomic_load_explicit(&grant, memory_order_relaxed) + 1;
  atomic_store_explicit(&grant, now, memory_order_release);
  atomic_fetch_add_explicit(&waiting[now + NEAR], 1, memory_order_release);
}

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  lock();
  datum = id;
  assert(datum == id);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
