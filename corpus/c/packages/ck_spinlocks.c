// about: ConcurrencyKit's spin locks: two threads count, LOCK says under which; `ticket` draws tickets by adding to a word of
// about: which its unlock stores one half
// needs: ck_spinlock.h
// from: by hand: the library is right; each macro BUG_… takes something away. Under rc20 the queued lock races: it relies on the
// from: order of an access through a pointer behind the load of the pointer, which C does not have
// run: -DLOCK=fas | tso | verdict=verified
// run: -DLOCK=fas -DWEAK | rc20 | verdict=verified
// run: -DLOCK=cas | tso | verdict=verified
// run: -DLOCK=cas -DWEAK | rc20 | verdict=verified
// run: -DLOCK=ticket | sc tso | verdict=verified
// run: -DLOCK=ticket -DBUG_UNLOCKED | sc tso | verdict=violation violation=assertion
// run: -DLOCK=dec | tso | verdict=verified
// run: -DLOCK=dec -DWEAK | rc20 | verdict=verified
// run: -DLOCK=mcs -DQUEUED | tso | verdict=verified
// run: -DLOCK=mcs -DQUEUED -DWEAK | rc20 | verdict=violation
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
static struct CAT(ck_spinlock_, LOCK, ) *tail, nodes[2];
#endif

static void *count(void *which) {
#ifndef BUG_UNLOCKED
#ifdef QUEUED
  CAT(ck_spinlock_, LOCK, _lock)(&tail, &nodes[(long)which]);
#else
  CAT(ck_spinlock_, LOCK, _lock)(&lock);
#endif
#endif
  counter++; //! race(BUG_UNLOCKED)
#ifndef BUG_UNLOCKED
#ifdef QUEUED
  CAT(ck_spinlock_, LOCK, _unlock)(&tail, &nodes[(long)which]);
#else
  CAT(ck_spinlock_, LOCK, _unlock)(&lock);
#endif
#endif
  return which;
}

int main(void) {
  pthread_t threads[2];
#ifndef QUEUED
  CAT(ck_spinlock_, LOCK, _init)(&lock);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, count, (void *)(long)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(counter == 2); //! assertion(BUG_UNLOCKED)
  return 0;
}
