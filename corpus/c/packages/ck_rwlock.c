// about: ConcurrencyKit's reader-writer lock: what a reader sees is whole
// needs: ck_rwlock.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DWEAK | rc20 | verdict=verified
// run: -DBUG_UNLOCKED | tso | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <ck_md.h>
#ifdef WEAK
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#include <ck_rwlock.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *unused) {
  ck_rwlock_write_lock(&lock);
  a++;
  b++;
  ck_rwlock_write_unlock(&lock);
  return 0;
}

static void *reader(void *unused) {
#ifndef BUG_UNLOCKED
  ck_rwlock_read_lock(&lock);
#endif
  int x = a, y = b;
#ifndef BUG_UNLOCKED
  ck_rwlock_read_unlock(&lock);
#endif
  assert(x == y); //! assertion(BUG_UNLOCKED)
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_create(&threads[2], 0, writer, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(a == 2);
  return 0;
}
