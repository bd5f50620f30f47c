// about: a barrier that is used once: the last to arrive opens it, the others wait
// from: brute force
// run: -DN=2 | sc ra rc20 | verdict=verified executions=2
// run: -DN=2 | sc ra rc20 --equivalence co | verdict=verified executions=2
// run: -DN=3 | sc ra rc20 | verdict=verified executions=6
// run: -DN=3 | sc ra rc20 --equivalence co | verdict=verified executions=6
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static atomic_int arrived, opened;

static void *run(void *arg) {
  (void)arg;
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) == N - 1)
    atomic_store_explicit(&opened, 1, memory_order_release);
  else
    while (!atomic_load_explicit(&opened, memory_order_acquire))
      ;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
