// about: a sorted list with one lock or a lock in each node (FINE); ADDERS threads add a key, the others look one up.
// about: With FINE an adder at the end waits for the head while it holds the last node: threads can wait in a circle,
// about: which the paper does not mention. Its counts are those of the executions that end.
// from: the lock-aware paper; aware with one lock: brute force; seekers only: N! ordered, 1 aware
// run: -DN=5 -DADDERS=0 | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DADDERS=0 | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=6 -DADDERS=0 | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: -DN=5 | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=6 | sc ra rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=6 | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=7 | rc11 rc20 --locks aware | verdict=verified executions=6
// run: -DN=8 | rc11 rc20 --locks aware | verdict=verified executions=18
// run: -DN=5 -DADDERS=0 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DADDERS=0 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=8 -DADDERS=0 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DFINE | sc ra rc11 rc20 --all --locks aware | verdict=violation violation=deadlock executions=4
// run: -DN=5 -DFINE | sc ra rc11 rc20 --all --locks ordered | verdict=violation violation=deadlock executions=352
// run: -DN=6 -DFINE | rc11 --all --locks aware | verdict=violation violation=deadlock executions=6
// run: -DN=6 -DFINE | rc11 --all --locks ordered | verdict=violation violation=deadlock executions=4590
// run: -DN=7 -DFINE | rc11 --all --locks aware | verdict=violation violation=deadlock executions=6
// run: -DN=6 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=8 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=6 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// long: -DN=7 -DFINE | rc11 --all --locks ordered | verdict=violation violation=deadlock executions=38536
// run: -DN=8 -DFINE | rc11 --all --locks aware | verdict=violation violation=deadlock executions=18
// long: -DN=8 -DFINE | rc11 --all --locks ordered | verdict=violation violation=deadlock executions=340348
// long: -DN=8 | rc11 --locks ordered | verdict=verified executions=40320
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif
#ifndef ADDERS
#define ADDERS (N / 2)
#endif

#define INITIAL 4

struct node {
  int key;
  struct node *next, *previous;
  pthread_mutex_t lock;
};

static struct node head, initial[INITIAL], added[N + 1];

#ifdef FINE
#define LOCK(n) pthread_mutex_lock(&(n)->lock)
#define UNLOCK(n) pthread_mutex_unlock(&(n)->lock)
#define LOCK_ALL()
#define UNLOCK_ALL()
#else
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
#define LOCK(n)
#define UNLOCK(n)
#define LOCK_ALL() pthread_mutex_lock(&l)
#define UNLOCK_ALL() pthread_mutex_unlock(&l)
#endif

// The last node before the key and the next one, both locked; the head is the end, too, and is locked there on demand.
static struct node *find(int key, int whole, struct node **next) {
  struct node *before = &head;
  LOCK(before);
  struct node *at = before->next;
  if (at != &head)
    LOCK(at);
  while (at != &head && at->key < key) {
    UNLOCK(before);
    before = at;
    at = at->next;
    if (at != &head || whole)
      LOCK(at);
  }
  *next = at;
  return before;
}

static void add(struct node *n) {
  LOCK_ALL();
  struct node *at, *before = find(n->key, 1, &at);
  if (at == &head || at->key != n->key) {
    n->next = at;
    n->previous = before;
    at->previous = n;
    before->next = n;
  }
  if (at != before)
    UNLOCK(at);
  UNLOCK(before);
  UNLOCK_ALL();
}

static void seek(int key) {
  LOCK_ALL();
  struct node *at, *before = find(key, 0, &at);
  int found = at != &head && at->key == key;
  (void)found;
  if (at != &head)
    UNLOCK(at);
  UNLOCK(before);
  UNLOCK_ALL();
}

static int key_of(int t) { return 7 * t % 12; }

static void *adder(void *arg) {
  struct node *n = &added[(intptr_t)arg];
  n->key = key_of((int)(intptr_t)arg);
  add(n);
  return NULL;
}

static void *seeker(void *arg) {
  seek(key_of((int)(intptr_t)arg));
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_mutex_init(&head.lock, NULL);
  head.next = &head;
  for (int i = 0; i < INITIAL; i++) {
    initial[i].key = 2 * i;
    pthread_mutex_init(&initial[i].lock, NULL);
    add(&initial[i]);
  }
  for (int i = 1; i <= N; i++)
    pthread_mutex_init(&added[i].lock, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, i <= ADDERS ? adder : seeker, (void *)(intptr_t)i);
  for (int i = 1; i <= N; i++)
    pthread_join(t[i], NULL);
}
