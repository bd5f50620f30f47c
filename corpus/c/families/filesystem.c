// about: 32 inodes and 26 blocks with a lock each; every thread gives its inode a free block
// from: formula 2^(N-13); the release-acquire paper, GenMC 0.11, Nidhugg; ordered = aware
// run: -DN=14 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=2
// run: -DN=14 | sc ra rc11 rc20 --locks aware | verdict=verified executions=2
// run: -DN=16 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=8
// run: -DN=16 | sc ra rc11 rc20 --locks aware | verdict=verified executions=8
// run: -DN=19 | sc ra rc11 rc20 --locks ordered | verdict=verified executions=64
// run: -DN=22 | ra --locks ordered | verdict=verified executions=512
// long: -DN=22 | sc ra rc11 rc20 --locks aware | verdict=verified executions=512
// long: -DN=25 | sc ra rc11 --locks ordered | verdict=verified executions=4096
// long: -DN=25 | sc ra rc11 --locks aware | verdict=verified executions=4096
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 14
#endif

#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *allocate(void *arg) {
  int i = (int)(intptr_t)arg % INODES;
  pthread_mutex_lock(&inode_locks[i]);
  if (inode[i] == 0) {
    int b = 2 * i % BLOCKS;
    for (;;) {
      pthread_mutex_lock(&block_locks[b]);
      if (busy[b] == 0) {
        busy[b] = 1;
        inode[i] = b + 1;
        pthread_mutex_unlock(&block_locks[b]);
        break;
      }
      pthread_mutex_unlock(&block_locks[b]);
      b = (b + 1) % BLOCKS;
    }
  }
  pthread_mutex_unlock(&inode_locks[i]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < INODES; i++)
    pthread_mutex_init(&inode_locks[i], NULL);
  for (int i = 0; i < BLOCKS; i++)
    pthread_mutex_init(&block_locks[i], NULL);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, allocate, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
