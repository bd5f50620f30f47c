// about: Dekker's algorithm with fences and three tries; the critical section is plain
// from: GenMC 0.11, the GenMC-XMM thesis (co)
// from: xmm: as rc20; the GenMC-XMM thesis
// run: | rc11 rc20 --races ignore | verdict=verified executions=55
// run: | rc11 rc20 --races ignore --equivalence co | verdict=verified executions=55
// run: | xmm --races ignore | verdict=verified executions=55
// run: | xmm --races ignore --equivalence co | verdict=verified executions=55
// run: | xmm --equivalence co --report lb-races --races ignore | lb_races=123
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef TRIES
#define TRIES 3
#endif

#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int flag[2], turn;
static int x;

static int wait_turn(int me) {
  for (int i = 0; i < TRIES; i++)
    if (GET(&turn) == me)
      return 1;
  return 0;
}

static int enter(int me) {
  PUT(&flag[me], 1);
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < TRIES; i++) {
    if (GET(&flag[1 - me]) < 1)
      return 1;
    if (GET(&turn) != me) {
      PUT(&flag[me], 0);
      if (!wait_turn(me))
        return 0;
      PUT(&flag[me], 1);
      atomic_thread_fence(memory_order_seq_cst);
    }
  }
  return 0;
}

static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  if (!enter(me))
    return NULL;
  atomic_thread_fence(memory_order_acquire);
  x = me;
  int r = x;
  (void)r;
  PUT(&turn, 1 - me);
  atomic_thread_fence(memory_order_release);
  PUT(&flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)(intptr_t)0);
  pthread_create(&b, NULL, run, (void *)(intptr_t)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
