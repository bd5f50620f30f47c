// about: W4: a retry loop whose first failure must not be dropped, because the load acquires and the failure does not
// from: by hand: only the relaxed compare-exchange sees 1
// run: | rc11 rc20 | verdict=violation violation=race
// run: | sc tso pso ra | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int d;

static void *first(void *arg) {
  (void)arg;
  int a = atomic_load_explicit(&x, memory_order_acquire);
  while (!atomic_compare_exchange_strong_explicit(&x, &a, a + 1, memory_order_relaxed, memory_order_relaxed))
    ;
  if (a == 1) {
    int r = d; //! race
    (void)r;
  }
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  d = 1; //! race
  atomic_store_explicit(&x, 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
