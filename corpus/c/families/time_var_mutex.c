// about: which lock protects a block depends on whether it is busy
// from: the lock-aware paper, GenMC 0.11
// run: | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: | sc ra rc11 rc20 --locks aware | verdict=verified executions=2
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

static pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER, busy_lock = PTHREAD_MUTEX_INITIALIZER;
static int inode, busy, block;

static void *allocate(void *arg) {
  (void)arg;
  pthread_mutex_lock(&inode_lock);
  if (inode == 0) {
    pthread_mutex_lock(&busy_lock);
    busy = 1;
    pthread_mutex_unlock(&busy_lock);
    inode = 1;
  }
  block = 1;
  assert(block == 1);
  pthread_mutex_unlock(&inode_lock);
  return NULL;
}

static void *clear(void *arg) {
  (void)arg;
  pthread_mutex_lock(&busy_lock);
  if (busy == 0) {
    block = 0;
    assert(block == 0);
  }
  pthread_mutex_unlock(&busy_lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, allocate, NULL);
  pthread_create(&b, NULL, clear, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
