// about: an event count: who waits takes a ticket, says so and looks again; who notifies goes to sleep's lock only if somebody waits
// from: by hand: "ready" and "waiters" are store buffering: without fences the waiter may miss that it is ready while the notifier
// from: misses that it waits, and nobody wakes it. Not looking again after saying so loses the event under every model
// run: | sc tso pso rc11 rc20 | verdict=verified
// run: | sc rc20 --locks ordered | verdict=verified
// run: -DBUG_NO_FENCE | sc | verdict=verified
// run: -DBUG_NO_FENCE | tso pso rc11 rc20 | verdict=violation violation=deadlock
// run: -DBUG_NO_SECOND_LOOK | sc tso pso rc11 rc20 | verdict=violation violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready, waiters;
static int events;

static void fence(void) {
#ifndef BUG_NO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void notify(void) {
  fence();
  if (atomic_load_explicit(&waiters, memory_order_relaxed) == 0)
    return;
  pthread_mutex_lock(&m);
  events++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}

static void *producer(void *arg) {
  atomic_store_explicit(&ready, 1, memory_order_release);
  notify();
  return arg;
}

static int is_ready(void) { return atomic_load_explicit(&ready, memory_order_acquire); }

static void *consumer(void *arg) {
  if (is_ready())
    return arg;
  pthread_mutex_lock(&m);
  int ticket = events;
  pthread_mutex_unlock(&m);
  atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
  fence();
#ifndef BUG_NO_SECOND_LOOK
  if (is_ready())
    return arg;
#endif
  pthread_mutex_lock(&m);
  while (events == ticket)
    pthread_cond_wait(&c, &m); //! deadlock
  pthread_mutex_unlock(&m);
  assert(is_ready());
  return arg;
}

int main(void) {
  pthread_t p, q;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&q, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(q, NULL); //! deadlock
}
