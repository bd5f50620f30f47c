// about: three threads over one lock and two variables that are also touched outside it
// from: ra: GenMC 0.11 (co of N=6 also in the release-acquire paper); sc rf of N=6: Nidhugg; others: GenMC 0.11
// run: -DN=1 | ra rc11 rc20 --locks ordered | verdict=verified executions=879
// run: -DN=1 | ra rc11 rc20 --locks aware | verdict=verified executions=609
// run: -DN=2 | ra rc11 rc20 --locks ordered | verdict=verified executions=1934
// run: -DN=2 | ra rc11 rc20 --locks aware | verdict=verified executions=1499
// run: -DN=3 | ra --locks ordered | verdict=verified executions=3676
// run: -DN=3 | ra --locks aware | verdict=verified executions=3023
// run: -DN=1 | ra rc11 rc20 --locks ordered --equivalence co | verdict=verified executions=2246
// run: -DN=2 | ra --locks ordered --equivalence co | verdict=verified executions=11444
// long: -DN=3 | sc --locks ordered --equivalence co | verdict=verified executions=36570
// long: -DN=3 | tso --locks ordered --equivalence co | verdict=verified executions=44520
// long: -DN=3 | ra rc11 rc20 --locks ordered --equivalence co | verdict=verified executions=46764
// long: -DN=6 | sc --locks ordered | verdict=verified executions=15487
// long: -DN=6 | ra --locks ordered | verdict=verified executions=15604
// long: -DN=6 | ra --locks aware | verdict=verified executions=13909
// long: -DN=9 | ra --locks ordered | verdict=verified executions=44431
// long: -DN=6 | ra --locks ordered --equivalence co | verdict=verified executions=1203446
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

#define GET(p) atomic_load_explicit(p, memory_order_acquire)
#define PUT(p, v) atomic_store_explicit(p, v, memory_order_release)

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *first(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&l);
    PUT(&x, 1);
    for (int j = 0; j < N; j++)
      PUT(&y, 1);
    pthread_mutex_unlock(&l);
  }
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&l);
    PUT(&x, 0);
    pthread_mutex_unlock(&l);
    if (GET(&x) > 0) {
      int v = GET(&y);
      PUT(&y, v + 1);
      PUT(&x, 2);
    }
  }
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    if (GET(&x) > 1) {
      if (GET(&y) == 3)
        return NULL;
      PUT(&y, 2);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_create(&t[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
