// about: ConcurrencyKit's spin locks: two threads count, LOCK says under which
// needs: ck_spinlock.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: -DLOCK=fas | tso | verdict=verified
// run: -DLOCK=fas -DWEAK | rc20 | verdict=verified
// run: -DLOCK=cas | tso | verdict=verified
// run: -DLOCK=cas -DWEAK | rc20 | verdict=verified
// run: -DLOCK=dec | tso | verdict=verified
// run: -DLOCK=dec -DWEAK | rc20 | verdict=verified
// run: -DLOCK=ticket | tso | verdict=verified
// run: -DLOCK=ticket -DWEAK | rc20 | verdict=verified
// run: -DLOCK=mcs -DQUEUED | tso | verdict=verified
// run: -DLOCK=mcs -DQUEUED -DWEAK | rc20 | verdict=verified
// run: -DLOCK=fas -DBUG_UNLOCKED | tso | verdict=violation violation=assertion
// run: -DLOCK=fas -DBUG_UNLOCKED | rc20 | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <ck_md.h>
#ifdef WEAK
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#include <ck_spinlock.h>

#define CAT_(a, b, c) a##b##c
#define CAT(a, b, c) CAT_(a, b, c)

static int counter;
static struct CAT(ck_spinlock_, LOCK, ) lock;
#ifdef QUEUED
static struct CAT(ck_spinlock_, LOCK, ) *tail;
#endif

static void *count(void *unused) {
#ifndef BUG_UNLOCKED
#ifdef QUEUED
  struct CAT(ck_spinlock_, LOCK, ) node;
  CAT(ck_spinlock_, LOCK, _lock)(&tail, &node);
#else
  CAT(ck_spinlock_, LOCK, _lock)(&lock);
#endif
#endif
  counter++; //! race(BUG_UNLOCKED)
#ifndef BUG_UNLOCKED
#ifdef QUEUED
  CAT(ck_spinlock_, LOCK, _unlock)(&tail, &node);
#else
  CAT(ck_spinlock_, LOCK, _unlock)(&lock);
#endif
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
#ifndef QUEUED
  CAT(ck_spinlock_, LOCK, _init)(&lock);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(counter == 2); //! assertion(BUG_UNLOCKED)
  return 0;
}
