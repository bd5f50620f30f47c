// about: one pusher and one popper, SIZE locked operations each on a stack
// from: formula C(2SIZE,SIZE); the release-acquire paper (12), the lock-aware paper (5); ordered = aware
// run: -DSIZE=2 | sc tso pso ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: -DSIZE=3 | sc tso pso ra rc11 rc20 --locks aware | verdict=verified executions=20
// run: -DSIZE=4 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=70
// run: -DSIZE=5 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=252
// run: -DSIZE=5 | sc ra rc11 rc20 --locks aware | verdict=verified executions=252
// long: -DSIZE=12 | sc ra rc11 --locks ordered | verdict=verified executions=2704156
// long: -DSIZE=12 | ra --locks aware | verdict=verified executions=2704156
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 3
#endif

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int top, items[SIZE];

static void *pusher(void *arg) {
  (void)arg;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&l);
    items[top] = i + 1;
    top++;
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

static void *popper(void *arg) {
  (void)arg;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&l);
    if (top > 0) {
      top--;
      int item = items[top];
      (void)item;
    }
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, pusher, NULL);
  pthread_create(&b, NULL, popper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
