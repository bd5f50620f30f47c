// about: W1: the race is with a round of the loop that changed nothing, in a thread that left the loop all the same
// from: by hand: the plain read comes before the relaxed write of y, which the third thread sees without acquiring
// run: | rc11 rc20 | verdict=violation violation=race
// run: -DATOMIC | rc11 rc20 | verdict=violation violation=race
// run: | sc tso pso ra | verdict=verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int d;

#ifdef ATOMIC
#define LOOK(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#else
#define LOOK(p) *(p)
#endif

static void *first(void *arg) {
  (void)arg;
  for (;;) {
    if (atomic_load_explicit(&x, memory_order_relaxed))
      break;
    int r = LOOK(&d); //! race
    (void)r;
  }
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void *third(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&y, memory_order_relaxed))
    d = 1; //! race
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
