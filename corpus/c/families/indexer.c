// about: a table of 128 slots with a lock each; every thread puts in four keys, from the key's own slot on
// from: formula 8^(N-11); the release-acquire paper (13..16), the lock-aware paper (13), GenMC 0.11, Nidhugg; CAS: GenMC 0.11
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DN=11 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=1
// run: -DN=11 | sc ra rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=12 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=8
// run: -DN=12 | sc ra rc11 rc20 --locks aware | verdict=verified executions=8
// run: -DN=13 | ra rc11 --locks ordered | verdict=verified executions=64
// run: -DN=13 | ra rc11 --locks aware | verdict=verified executions=64
// run: -DN=14 | ra --locks ordered | verdict=verified executions=512
// run: -DN=12 -DCAS | rc11 rc20 | verdict=verified executions=8
// run: -DN=13 -DCAS | rc11 rc20 | verdict=verified executions=64
// long: -DN=14 | sc rc11 rc20 --locks ordered | verdict=verified executions=512
// long: -DN=14 | sc ra rc11 rc20 --locks aware | verdict=verified executions=512
// long: -DN=15 | sc ra rc11 --locks ordered | verdict=verified executions=4096
// long: -DN=15 | sc ra rc11 --locks aware | verdict=verified executions=4096
// long: -DN=16 | ra --locks ordered | verdict=verified executions=32768
// long: -DN=15 -DCAS | rc11 | verdict=verified executions=4096
// run: -DN=14 -DCAS | xmm | verdict=verified executions=512
// run: -DN=14 | xmm --locks ordered | verdict=verified executions=512
// run: -DN=15 -DCAS | xmm | verdict=verified executions=4096
// long: -DN=15 | xmm --locks ordered | verdict=verified executions=4096
// run: -DN=14 -DCAS | xmm --equivalence co --report lb-races --races ignore | lb_races=0
// long: -DN=15 -DCAS | xmm --equivalence co --report lb-races --races ignore | lb_races=0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 12
#endif

#define SLOTS 128
#define KEYS 4

#ifdef CAS
static atomic_int table[SLOTS];

static int put(int slot, int key) {
  int expected = 0;
  return atomic_compare_exchange_strong_explicit(&table[slot], &expected, key, memory_order_acq_rel,
                                                 memory_order_acquire);
}
#else
static pthread_mutex_t locks[SLOTS];
static int table[SLOTS];

static int put(int slot, int key) {
  int done = 0;
  pthread_mutex_lock(&locks[slot]);
  if (table[slot] == 0) {
    table[slot] = key;
    done = 1;
  }
  pthread_mutex_unlock(&locks[slot]);
  return done;
}
#endif

static void *insert(void *arg) {
  int id = (int)(intptr_t)arg;
  for (int m = 1; m <= KEYS; m++) {
    int key = 11 * m + id;
    int slot = 7 * key % SLOTS;
    while (!put(slot, key))
      slot = (slot + 1) % SLOTS;
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
#ifndef CAS
  for (int i = 0; i < SLOTS; i++)
    pthread_mutex_init(&locks[i], NULL);
#endif
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, insert, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
