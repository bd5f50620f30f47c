// about: Lamport's bakery for two threads: take a number, wait for who chooses, wait for who has a smaller one
// from: by hand: it needs that a thread's own stores are seen before it looks at the other's: seq_cst gives that under all models but
// from: ra and sra, which take every order as acquire and release. Without "chooses" two threads may read 0 and both take 1, and the
// from: one with the larger name enters before the other has published its number
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: | sra ra | verdict=violation
// run: -DBUG_WEAK | sc | verdict=verified
// run: -DBUG_WEAK | tso pso sra ra | verdict=violation violation=assertion
// run: -DBUG_WEAK | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NOT_CHOOSING | sc tso pso | verdict=violation violation=assertion
// run: -DBUG_NOT_CHOOSING | rc11 rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_WEAK
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static atomic_int chooses[2], number[2];
static int d;

static void enter(int i) {
  int other = 1 - i;
#ifndef BUG_NOT_CHOOSING
  atomic_store_explicit(&chooses[i], 1, STORE);
#endif
  int mine = atomic_load_explicit(&number[other], LOAD) + 1;
  atomic_store_explicit(&number[i], mine, STORE);
#ifndef BUG_NOT_CHOOSING
  atomic_store_explicit(&chooses[i], 0, STORE);
  while (atomic_load_explicit(&chooses[other], LOAD))
    ;
#endif
  for (;;) {
    int theirs = atomic_load_explicit(&number[other], LOAD);
    if (theirs == 0 || theirs > mine || (theirs == mine && other > i))
      return;
  }
}

static void *run(void *arg) {
  int i = (int)(size_t)arg;
  enter(i);
  d = d + 1; //! race
  atomic_store_explicit(&number[i], 0, STORE);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, (void *)0);
  pthread_create(&b, NULL, run, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(d == 2); //! assertion
}
