// about: atomic operations that the compiler leaves to a library: a structure whose alignment is smaller than its size
// from: by hand: an exchange or compare-exchange of the whole is one update
// run: | sc tso ra rc11 rc20 | verdict=verified
// run: -DBUG | sc tso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  unsigned char a[4];
};

static _Alignas(4) struct pair shared;

static struct pair load(void) {
  struct pair value;
  __atomic_load(&shared, &value, __ATOMIC_ACQUIRE);
  return value;
}

static void *add(void *unused) {
  struct pair old = load(), next;
#ifdef BUG
  next = old;
  next.a[0]++;
  next.a[3]++;
  __atomic_store(&shared, &next, __ATOMIC_RELEASE);
#else
  do {
    next = old;
    next.a[0]++;
    next.a[3]++;
  } while (!__atomic_compare_exchange(&shared, &old, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  int aligned;
  assert(__atomic_is_lock_free(sizeof aligned, &aligned) && !__atomic_is_lock_free(32, 0));
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  struct pair last = load();
  assert(last.a[0] == 2 && last.a[3] == 2); //! assertion(BUG)
  return 0;
}
