// about: a hash table of 16 lists with one lock or a lock for each list (FINE); ADDERS threads add two values, the others look two up
// from: the lock-aware paper; aware with one lock, N=5, 6: brute force; ordered with one lock: 10!/2^5
// run: -DN=5 -DADDERS=0 | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=2
// run: -DN=6 | sc ra rc11 rc20 --locks aware | verdict=verified executions=4
// run: -DN=8 | rc11 --locks aware | verdict=verified executions=16
// run: -DN=5 -DADDERS=0 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DN=6 -DADDERS=0 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=4
// run: -DN=8 -DADDERS=0 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=16
// run: -DN=8 -DADDERS=0 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=1
// run: -DN=5 -DFINE | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DN=5 -DFINE | sc ra rc11 rc20 --locks aware | verdict=verified executions=2
// run: -DN=8 -DFINE | rc11 rc20 --locks ordered | verdict=verified executions=16
// run: -DN=8 -DFINE | rc11 rc20 --locks aware | verdict=verified executions=16
// run: -DN=7 | rc11 --locks aware | verdict=verified executions=8
// run: -DN=6 -DFINE | rc11 --locks aware | verdict=verified executions=4
// run: -DN=7 -DFINE | rc11 --locks aware | verdict=verified executions=8
// run: -DN=6 -DFINE | rc11 --locks ordered | verdict=verified executions=4
// run: -DN=7 -DFINE | rc11 --locks ordered | verdict=verified executions=8
// run: -DN=6 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=8 -DADDERS=0 | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 -DFINE | rc11 --locks ordered | verdict=verified executions=8
// run: -DN=6 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// run: -DN=7 -DADDERS=0 -DFINE | rc11 --locks aware | verdict=verified executions=1
// long: -DN=5 | rc11 --locks ordered | verdict=verified executions=113400
// long: -DN=5 -DADDERS=0 | rc11 --locks ordered | verdict=verified executions=113400
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif
#ifndef ADDERS
#define ADDERS (N / 2)
#endif

#define BUCKETS 16

struct node {
  int value;
  struct node *next;
};

static struct node heads[BUCKETS], added[N + 1][2];
static pthread_mutex_t locks[BUCKETS];

static pthread_mutex_t *lock_of(int bucket) {
#ifdef FINE
  return &locks[bucket];
#else
  (void)bucket;
  return &locks[0];
#endif
}

static void add(struct node *n) {
  int bucket = n->value % BUCKETS;
  pthread_mutex_lock(lock_of(bucket));
  n->next = heads[bucket].next;
  heads[bucket].next = n;
  pthread_mutex_unlock(lock_of(bucket));
}

static void seek(int value) {
  int bucket = value % BUCKETS;
  pthread_mutex_lock(lock_of(bucket));
  struct node *at = heads[bucket].next;
  while (at != &heads[bucket] && at->value != value)
    at = at->next;
  pthread_mutex_unlock(lock_of(bucket));
}

static void *adder(void *arg) {
  int t = (int)(intptr_t)arg;
  for (int i = 0; i < 2; i++) {
    added[t][i].value = t + 4 * i;
    add(&added[t][i]);
  }
  return NULL;
}

static void *seeker(void *arg) {
  int t = (int)(intptr_t)arg;
  for (int i = 0; i < 2; i++)
    seek(t + 4 * i);
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  for (int i = 0; i < BUCKETS; i++) {
    pthread_mutex_init(&locks[i], NULL);
    heads[i].next = &heads[i];
  }
  for (int i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, i <= ADDERS ? adder : seeker, (void *)(intptr_t)i);
  for (int i = 1; i <= N; i++)
    pthread_join(t[i], NULL);
}
