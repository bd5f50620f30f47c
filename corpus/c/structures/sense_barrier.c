// about: a barrier that turns its sense round: who comes last sets the counter again and then tells the others
// from: by hand: who only looks whether the counter is full again may miss that, as another may have come to the next barrier: then it
// from: waits for ever. If the sense is told before the counter is set, one who is quick counts down from 0. Arriving must acquire, too, for
// from: the last one to know what the others did
// run: | sc tso pso sra ra rc11 rc20 xmm | verdict=verified
// run: -DBUG_LOOKS_AT_COUNTER | sc tso pso sra ra --all | verdict=violation violation=liveness
// run: -DBUG_RELEASE_ONLY | rc11 rc20 xmm | verdict=violation violation=race
// run: -DBUG_TELLS_FIRST | sc tso pso sra ra rc11 rc20 | verdict=violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_RELEASE_ONLY
#define ARRIVE memory_order_release
#else
#define ARRIVE memory_order_acq_rel
#endif

static atomic_int missing = 2, sense;
static int d[2];

static void barrier(int *mine) {
  *mine = !*mine;
  if (atomic_fetch_sub_explicit(&missing, 1, ARRIVE) == 1) {
#ifdef BUG_TELLS_FIRST
    atomic_store_explicit(&sense, *mine, memory_order_release);
    atomic_store_explicit(&missing, 2, memory_order_release);
#else
    atomic_store_explicit(&missing, 2, memory_order_relaxed);
    atomic_store_explicit(&sense, *mine, memory_order_release);
#endif
    return;
  }
#ifdef BUG_LOOKS_AT_COUNTER
  while (atomic_load_explicit(&missing, memory_order_acquire) != 2) //! liveness
    ;
#else
  while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
    ;
#endif
}

static void *run(void *arg) {
  int i = (int)(size_t)arg, mine = 0;
  d[i] = 1; //! race
  barrier(&mine);
  assert(d[1 - i] == 1); //! race
  barrier(&mine);
  d[i] = 2; //! race
  barrier(&mine);
  assert(d[1 - i] == 2); //! race
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)0);
  pthread_create(&b, NULL, run, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
