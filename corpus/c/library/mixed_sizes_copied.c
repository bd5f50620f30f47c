// about: bytes of an atomic object are copied, moved and filled, under a lock or before there are other threads
// from: by hand: each thread moves three bytes up by one, copies four of one object to another, adds one to that, and copies five
// from: bytes across the border of two; main makes the same of bytes. The loads of the whole are under the lock, too: each
// from: thread first or second is all that differs
// run: | sc tso sra ra rc11 rc20 | verdict=verified
// run: | rc20 --locks ordered | verdict=verified executions=2
// run: | rc20 --equivalence co -j 2 | verdict=verified
// run: -DBUG | sc tso sra ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

union word {
  _Atomic uint64_t whole;
  uint8_t bytes[8];
};

static union word x[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  memcpy(&x[0].bytes[4], &x[1].bytes[0], 4);
  memmove(&x[1].bytes[1], &x[1].bytes[0], 3);
  atomic_fetch_add(&x[0].whole, 1);
  memcpy(&x[2].bytes[3], &x[0].bytes[6], 5);
  atomic_store(&x[2].whole, atomic_load(&x[2].whole));
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  atomic_store(&x[0].whole, 0x1122334455667788);
  atomic_store(&x[1].whole, 0xa1a2a3a4a5a6a7a8);
  memset(&x[2].bytes[2], 0x33, 4);
  assert(atomic_load(&x[2].whole) == 0x333333330000);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  uint8_t y[24] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xa8, 0xa7, 0xa6, 0xa5,
                   0xa4, 0xa3, 0xa2, 0xa1, 0,    0,    0x33, 0x33, 0x33, 0x33, 0,    0};
  for (int i = 0; i < 2; i++) {
    memcpy(&y[4], &y[8], 4);
    memmove(&y[9], &y[8], 3);
    y[0]++;
    memcpy(&y[19], &y[6], 5);
  }
#ifdef BUG
  y[23]++;
#endif
  assert(memcmp(x, y, sizeof y) == 0); //! assertion
  return 0;
}
