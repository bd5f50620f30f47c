// about: a search tree with one lock or a lock in each node (FINE); ADDERS threads add a key, the others look one up
// from: the lock-aware paper; aware with one lock: brute force; seekers only: N! ordered, 1 aware
// run: -DN=5 -DADDERS=0 | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DADDERS=0 | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=5 | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=6 | sc ra rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=6 | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=8 | rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=5 -DADDERS=0 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DADDERS=0 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=5 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=5
// run: -DN=5 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=120
// run: -DN=7 | rc11 --locks aware | verdict=verified executions=5
// run: -DN=6 -DFINE | rc11 --locks aware | verdict=verified executions=5
// run: -DN=6 -DFINE | rc11 --locks ordered | verdict=verified executions=720
// run: -DN=7 -DFINE | rc11 --locks aware | verdict=verified executions=5
// run: -DN=6 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=8 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=6 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// run: -DN=8 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// long: -DN=8 | rc11 --locks ordered | verdict=verified executions=40320
// run: -DN=8 -DFINE | rc11 --locks aware | verdict=verified executions=5
// long: -DN=8 -DFINE | rc11 --locks ordered | verdict=verified executions=40320
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
  struct node *child[2];
  pthread_mutex_t lock;
};

static const int initial_keys[INITIAL] = {8, 4, 12, 10};
static struct node initial[INITIAL], added[N + 1];
static struct node *const root = &initial[0];

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

// The node with the key, or the one it would hang from; locked.
static struct node *find(int key) {
  struct node *at = root;
  LOCK(at);
  while (at->key != key) {
    struct node *next = at->child[key > at->key];
    if (next == NULL)
      break;
    LOCK(next);
    UNLOCK(at);
    at = next;
  }
  return at;
}

static void add(struct node *n) {
  LOCK_ALL();
  struct node *at = find(n->key);
  if (at->key != n->key)
    at->child[n->key > at->key] = n;
  UNLOCK(at);
  UNLOCK_ALL();
}

static void seek(int key) {
  LOCK_ALL();
  struct node *at = find(key);
  UNLOCK(at);
  (void)at;
  UNLOCK_ALL();
}

static int key_of(int t) { return 7 * (t % 2 ? t + 8 : t) % 16; }

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
  for (int i = 0; i < INITIAL; i++) {
    initial[i].key = initial_keys[i];
    pthread_mutex_init(&initial[i].lock, NULL);
    if (i > 0)
      add(&initial[i]);
  }
  for (int i = 1; i <= N; i++)
    pthread_mutex_init(&added[i].lock, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, i <= ADDERS ? adder : seeker, (void *)(intptr_t)i);
  for (int i = 1; i <= N; i++)
    pthread_join(t[i], NULL);
}
