// about: the instructions of x86 that inline assembly is taken for: two threads use a counter and a flag through them
// from: by hand: a locked instruction is an update, one without the prefix a load and a store; fences order; without the
// from: clobber nothing else is ordered
// run: -DXADD | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DINC | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DADD | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DSUFFIX | sc tso pso ra rc11 rc20 | verdict=verified executions=2
// run: -DCMPXCHG | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DCMPXCHG_SETZ | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DXCHG_LOCK | sc tso ra | verdict=verified
// run: -DXCHG_LOCK -DFENCES | pso rc11 rc20 | verdict=verified
// run: -DXCHG_LOCK | pso | verdict=violation violation=assertion
// run: -DXCHG_LOCK | rc11 rc20 | verdict=violation violation=race
// run: -DUNLOCKED | sc tso pso ra | verdict=violation violation=assertion
// run: -DUNLOCKED | rc11 rc20 | verdict=violation violation=race
// run: -DUNLOCKED_XADD | sc tso pso ra | verdict=violation violation=assertion
// run: -DUNLOCKED_XADD | rc11 rc20 | verdict=violation violation=race
// run: -DBITS | sc tso pso ra rc11 rc20 | verdict=verified
#include <assert.h>
#include <pthread.h>

static int x;
static int flag;

#ifdef FENCES
#define ACQUIRED() __asm__ volatile("lfence" ::: "memory")
#define RELEASED() __asm__ volatile("sfence" ::: "memory")
#else
#define ACQUIRED()
#define RELEASED()
#endif

static void increment(void) {
#if defined(XADD)
  int one = 1;
  __asm__ volatile("lock; xaddl %1, %0" : "+m"(x), "+r"(one) : : "memory", "cc");
#elif defined(INC)
  __asm__ volatile("lock incl %0" : "+m"(x) : : "memory", "cc");
#elif defined(ADD)
  __asm__ volatile("lock\n\taddl %1, %0\n" : "=m"(x) : "ir"(1) : "memory");
#elif defined(SUFFIX)
  int *p = &x;
  int one = 1;
  __asm__ volatile("lock xadd %0, (%1)" : "+r"(one) : "r"(p) : "memory");
#elif defined(CMPXCHG)
  int old, seen;
  do {
    __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(x));
    seen = old;
    __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(seen), "+m"(x) : "r"(old + 1) : "memory");
  } while (seen != old);
#elif defined(CMPXCHG_SETZ)
  int old;
  unsigned char done;
  do {
    __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(x));
    __asm__ volatile("lock; cmpxchgl %3, %0; setz %1"
                     : "+m"(x), "=q"(done), "+a"(old)
                     : "r"(old + 1)
                     : "memory", "cc");
  } while (!done);
#elif defined(XCHG_LOCK)
  int taken = 1;
  for (;;) {
    __asm__ volatile("xchgl %0, %1" : "+r"(taken), "+m"(flag) : : "memory");
    if (!taken)
      break;
    __asm__ volatile("pause" ::: "memory");
  }
  ACQUIRED();
  x++; //! race(XCHG_LOCK)
  RELEASED();
  __asm__ volatile("movl $0, %0" : "=m"(flag) : : "memory");
#elif defined(UNLOCKED)
  __asm__ volatile("incl %0" : "+m"(x) : : "memory", "cc"); //! race(UNLOCKED)
#elif defined(UNLOCKED_XADD)
  int one = 1;
  __asm__ volatile("xaddl %1, %0" : "+m"(x), "+r"(one) : : "memory", "cc"); //! race(UNLOCKED_XADD)
#elif defined(BITS)
  unsigned char was;
  __asm__ volatile("lock btsl %2, %0; setc %1" : "+m"(flag), "=q"(was) : "r"(3) : "memory", "cc");
  __asm__ volatile("lock addl %1, %0" : "+m"(x) : "ir"(was ? 2 : 0) : "memory", "cc");
#endif
}

static void *other(void *unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  increment();
  pthread_join(thread, 0);
  assert(x == 2); //! assertion(UNLOCKED), assertion(UNLOCKED_XADD), assertion(XCHG_LOCK)
  return 0;
}
