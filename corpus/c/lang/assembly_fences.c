// about: store buffering with fences of inline assembly: with a "memory" clobber mfence and locked instructions order,
// about: without one they order nothing
// from: by hand
// run: -DMFENCE | tso pso rc11 rc20 | verdict=verified executions=3
// run: -DLOCK_ADD | tso pso rc11 rc20 | verdict=verified executions=3
// run: -DLOCKED_BETWEEN | tso pso rc11 rc20 | verdict=verified
// run: -DMFENCE_ALONE | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DLFENCE | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DSFENCE | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DEMPTY | tso pso rc11 rc20 | verdict=violation violation=assertion
// run: -DLOCKED_ALONE | rc11 rc20 | verdict=violation violation=assertion
// run: -DEMPTY | sc | verdict=verified executions=3
#include <assert.h>
#include <pthread.h>

static int x, y, z;

static void set(int *to) { __asm__ volatile("movl %1, %0" : "=m"(*to) : "r"(1)); }

static int get(const int *from) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*from));
  return value;
}

static void between(void) {
#if defined(MFENCE)
  __asm__ volatile("mfence" ::: "memory");
#elif defined(LOCK_ADD)
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
#elif defined(LOCKED_BETWEEN)
  __asm__ volatile("lock; addl $1, %0" : "+m"(z) : : "memory");
#elif defined(MFENCE_ALONE)
  __asm__ volatile("mfence");
#elif defined(LFENCE)
  __asm__ volatile("lfence" ::: "memory");
#elif defined(SFENCE)
  __asm__ volatile("sfence" ::: "memory");
#elif defined(LOCKED_ALONE)
  __asm__ volatile("lock; addl $1, %0" : "+m"(z));
#else
  __asm__ volatile("" ::: "memory");
#endif
}

static int seen[2];

static void *first(void *unused) {
  set(&x);
  between();
  seen[0] = get(&y);
  return unused;
}

static void *second(void *unused) {
  set(&y);
  between();
  seen[1] = get(&x);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen[0] || seen[1]); //! assertion
  return 0;
}
