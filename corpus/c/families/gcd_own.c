// about: Euclid by two threads: one takes b from a while a is larger, the other a from b; LB rounds each
// from: GenMC 0.11; rf = co, ordered = aware
// run: -DLB=2 | ra rc11 rc20 --locks ordered | verdict=verified executions=15
// run: -DLB=3 | ra rc11 rc20 --locks ordered | verdict=verified executions=118
// run: -DLB=4 | ra rc11 rc20 --locks ordered | verdict=verified executions=812
// run: -DLB=4 | ra rc11 rc20 --locks aware | verdict=verified executions=812
// run: -DLB=4 | ra --locks ordered --equivalence co | verdict=verified executions=812
// run: -DLB=5 | ra --locks ordered | verdict=verified executions=4240
// long: -DLB=6 | ra --locks ordered | verdict=verified executions=16345
// long: -DLB=7 | ra --locks ordered | verdict=verified executions=49990
// long: -DLB=8 | ra --locks ordered | verdict=verified executions=129038
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef A
#define A 17
#endif

#ifndef B
#define B 7
#endif

#ifndef LB
#define LB 3
#endif

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int a = A, b = B;

static int differ(void) {
  int p = GET(&a);
  int q = GET(&b);
  return p != q;
}

static void take(atomic_int *own, atomic_int *other) {
  for (int i = 0; i < LB; i++) {
    if (!differ())
      continue;
    pthread_mutex_lock(&l);
    int p = GET(own);
    int q = GET(other);
    if (p > q) {
      p = GET(own);
      q = GET(other);
      PUT(own, p - q);
    }
    pthread_mutex_unlock(&l);
  }
}

static void *take_from_a(void *arg) {
  (void)arg;
  take(&a, &b);
  return NULL;
}

static void *take_from_b(void *arg) {
  (void)arg;
  take(&b, &a);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, take_from_a, NULL);
  pthread_create(&u, NULL, take_from_b, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
