// about: two threads add to a variable and a third reads it, all inside one lock
// from: the lock-aware paper, GenMC 0.11
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=6
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=6
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int d;

static void *add(void *arg) {
  int amount = (int)(intptr_t)arg;
  pthread_mutex_lock(&l);
  d = d + amount;
  pthread_mutex_unlock(&l);
  return NULL;
}

static void *look(void *arg) {
  (void)arg;
  pthread_mutex_lock(&l);
  int r = d;
  (void)r;
  pthread_mutex_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, add, (void *)(intptr_t)1);
  pthread_create(&t[1], NULL, add, (void *)(intptr_t)2);
  pthread_create(&t[2], NULL, look, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
