// about: the ring buffer of FreeBSD with plain indices; each thread puts a message in and takes one out; its races are ignored
// from: GenMC 0.11, the GenMC-XMM thesis; rf = co
// from: xmm: as rc20; the GenMC-XMM thesis
// run: -DTHREADS=3 | rc11 rc20 --races ignore | verdict=verified executions=1218
// run: -DTHREADS=3 | rc11 rc20 --races ignore --equivalence co | verdict=verified executions=1218
// long: -DTHREADS=3 | xmm --races ignore --equivalence co | verdict=verified executions=1218
// run: -DTHREADS=2 | rc11 rc20 | verdict=violation violation=race
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif

void __VERIFIER_assume(int);

#define SLOTS 8

static int prod_head, prod_tail, cons_head, cons_tail;
static int *ring[SLOTS];
static int message[THREADS];

static int swap(int *p, int from, int to) {
  return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); //! race
}

static void put(int *m) {
  int head = prod_head; //! race
  int tail = cons_tail; //! race
  int next = (head + 1) % SLOTS;
  if (next == tail)
    return;
  __VERIFIER_assume(swap(&prod_head, head, next));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  ring[head] = m;                       //! race
  __VERIFIER_assume(prod_tail == head); //! race
  prod_tail = next;                     //! race
}

static void take(void) {
  int head = cons_head; //! race
  int tail = prod_tail; //! race
  if (head == tail)
    return;
  int next = (head + 1) % SLOTS;
  __VERIFIER_assume(swap(&cons_head, head, next));
  int *m = __atomic_load_n(&ring[head], __ATOMIC_RELAXED); //! race
  __VERIFIER_assume(cons_tail == head);                    //! race
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  cons_tail = next; //! race
  if (m) {
    int r = *m;
    (void)r;
  }
}

static void *run(void *arg) {
  int id = (int)(intptr_t)arg;
  put(&message[id]);
  take();
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
