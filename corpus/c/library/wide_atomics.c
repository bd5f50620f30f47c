// about: atomic operations on 16 bytes, by the library and by cmpxchg16b: the halves change together
// from: by hand
// run: | sc | verdict=verified
// run: -DASSEMBLY | sc | verdict=verified
// run: -DBUG | sc | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>

struct pair {
  unsigned long low, high;
};

static _Alignas(16) struct pair shared;

static struct pair load(void) {
  struct pair value;
#ifdef ASSEMBLY
  __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                   : "=a"(value.low), "=d"(value.high)
                   : "m"(shared)
                   : "rbx", "rcx", "memory", "cc");
#else
  __atomic_load(&shared, &value, __ATOMIC_SEQ_CST);
#endif
  return value;
}

static _Bool replace(struct pair *old, struct pair next) {
#if defined(BUG)
  shared.low = next.low;
  shared.high = next.high;
  return 1;
#elif defined(ASSEMBLY)
  _Bool done;
  __asm__ volatile("lock cmpxchg16b %0; setz %1"
                   : "+m"(shared), "=q"(done), "+a"(old->low), "+d"(old->high)
                   : "b"(next.low), "c"(next.high)
                   : "memory", "cc");
  return done;
#else
  return __atomic_compare_exchange(&shared, old, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}

static void *add(void *unused) {
  struct pair old = load(), next;
  do {
    assert(old.high == 2 * old.low); //! assertion(BUG)
    next.low = old.low + 1;
    next.high = old.high + 2;
  } while (!replace(&old, next));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  struct pair last = load();
  assert(last.low == 2 && last.high == 4); //! assertion(BUG)
  return 0;
}
