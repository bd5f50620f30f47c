// about: a free list of numbered cells: who pops sees a head and its successor; in between others may pop both and push the first
// about: again. A tag that changes with each pop tells the two heads apart
// from: by hand: without tags cell 2 is handed out twice, under every model (ABA); memory is never freed, so that nothing else shows
// run: | sc tso pso sra ra rc11 rc20 | verdict=verified
// run: -DBUG_NO_TAG | sc tso pso sra ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG_NO_TAG
#define TAG 0u
#else
#define TAG 256u
#endif

static atomic_uint head;
static atomic_uint next[4];
static atomic_int taken[4];

static unsigned pop(void) {
  unsigned old = atomic_load_explicit(&head, memory_order_acquire);
  for (;;) {
    unsigned cell = old & 255u;
    if (cell == 0)
      return 0;
    unsigned new = ((old & ~255u) + TAG) | atomic_load_explicit(&next[cell], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&head, &old, new, memory_order_acq_rel, memory_order_acquire))
      return cell;
  }
}

static void push(unsigned cell) {
  unsigned old = atomic_load_explicit(&head, memory_order_relaxed);
  do {
    atomic_store_explicit(&next[cell], old & 255u, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit(&head, &old, ((old & ~255u) + TAG) | cell, memory_order_release,
                                                    memory_order_relaxed));
}

static void keep(unsigned cell) {
  if (cell != 0)
    assert(atomic_fetch_add(&taken[cell], 1) == 0); //! assertion
}

static void *one(void *arg) {
  keep(pop());
  return arg;
}

static void *two_and_back(void *arg) {
  unsigned first = pop();
  keep(pop());
  if (first != 0)
    push(first);
  return arg;
}

int main(void) {
  pthread_t a, b;
  atomic_store(&next[1], 2);
  atomic_store(&next[2], 3);
  atomic_store(&head, 1);
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two_and_back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  unsigned cell;
  while ((cell = pop()) != 0)
    keep(cell);
}
