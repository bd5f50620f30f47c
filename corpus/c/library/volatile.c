// about: volatile accesses: plain ones, or relaxed ones if the user says so, which race with nothing but plain accesses
// from: by hand: message passing, where the flag is volatile
// run: | rc11 rc20 | verdict=violation violation=race
// run: | rc11 rc20 --volatile plain | verdict=violation violation=race
// run: -DFENCES | rc11 rc20 --volatile plain | verdict=violation violation=race
// run: -DFENCES | rc11 rc20 --volatile relaxed | verdict=verified executions=2
// run: -DNO_DATA | rc11 rc20 --volatile relaxed | verdict=verified executions=2
// run: | rc11 rc20 --volatile relaxed | verdict=violation violation=race
// run: -DNO_DATA -DMIXED | rc11 rc20 --volatile relaxed | verdict=violation violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define RELEASE() atomic_thread_fence(memory_order_release)
#define ACQUIRE() atomic_thread_fence(memory_order_acquire)
#else
#define RELEASE()
#define ACQUIRE()
#endif

static volatile int ready;
static int data;

static void *send(void *unused) {
  (void)unused;
#ifndef NO_DATA
  data = 42;
#endif
  RELEASE();
#ifdef MIXED
  *(int *)&ready = 1;
#else
  ready = 1;
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, send, NULL);
  if (ready) {
    ACQUIRE();
#ifndef NO_DATA
    assert(data == 42);
#endif
  }
  pthread_join(thread, NULL);
  return 0;
}
