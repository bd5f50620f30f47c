// about: polling, trying and giving back, fourteen ways (WAY, each with its argument at its code): is there a way out of every
// about: state? Same answer with both equivalences and both ways of locks
// from: by hand
// run: -DWAY=1 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=1 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=2 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=2 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DWAY=3 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=3 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=4 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=4 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DWAY=5 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=5 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=6 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=6 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DWAY=7 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=7 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DWAY=8 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=8 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
// run: -DWAY=9 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=9 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=10 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=10 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=11 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=deadlock
// run: -DWAY=11 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=deadlock
// run: -DWAY=12 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=12 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=13 | sc tso pso ra rc11 rc20 --all | verdict=verified
// run: -DWAY=13 | sc rc20 --all --equivalence co --locks ordered | verdict=verified
// run: -DWAY=14 | sc tso pso ra rc11 rc20 --all | verdict=violation violation=liveness
// run: -DWAY=14 | sc rc20 --all --equivalence co --locks ordered | verdict=violation violation=liveness
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static mtx_t c11;
static sem_t s;
static atomic_int f;
static int x;

#if WAY == 1 // the reader gives the lock back in each round, so the writer's try can succeed
static void *a(void *p) { int r; do { pthread_rwlock_rdlock(&rw); r = x; pthread_rwlock_unlock(&rw);} while(!r); return p; }
static void *b(void *p) { while (pthread_rwlock_trywrlock(&rw)); x = 1; pthread_rwlock_unlock(&rw); return p; }
#elif WAY == 2 // the reader keeps the lock for ever, so no try of the writer succeeds, and nobody sets the flag
static void *a(void *p) { pthread_rwlock_rdlock(&rw); while(!atomic_load(&f)); pthread_rwlock_unlock(&rw); return p; }
static void *b(void *p) { while (pthread_rwlock_trywrlock(&rw)); atomic_store(&f,1); pthread_rwlock_unlock(&rw); return p; }
#elif WAY == 3 // the post comes in the end
static void *a(void *p) { while (sem_trywait(&s)); return p; }
static void *b(void *p) { sem_post(&s); return p; }
#elif WAY == 4 // nobody posts
static void *a(void *p) { while (sem_trywait(&s)); return p; }
static void *b(void *p) { return p; }
#elif WAY == 5 // each finds the mutex free at some time, and its turn comes
static void *a(void *p) { for(;;){ if(!pthread_mutex_trylock(&m)){ if (x==0){ x=1; pthread_mutex_unlock(&m); break;} pthread_mutex_unlock(&m);} } return p; }
static void *b(void *p) { for(;;){ if(!pthread_mutex_trylock(&m)){ if (x==1){ x=2; pthread_mutex_unlock(&m); break;} pthread_mutex_unlock(&m);} } return p; }
#elif WAY == 6 // x never becomes 3
static void *a(void *p) { for(;;){ if(!pthread_mutex_trylock(&m)){ if (x==0){ x=1; pthread_mutex_unlock(&m); break;} pthread_mutex_unlock(&m);} } return p; }
static void *b(void *p) { for(;;){ if(!pthread_mutex_trylock(&m)){ if (x==3){ x=2; pthread_mutex_unlock(&m); break;} pthread_mutex_unlock(&m);} } return p; }
#elif WAY == 7 // each keeps what the other one tries: no state after that has a way out
static void *a(void *p) { pthread_mutex_lock(&m); while(pthread_mutex_trylock(&n)) ; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return p; }
static void *b(void *p) { pthread_mutex_lock(&n); while(pthread_mutex_trylock(&m)) ; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return p; }
#elif WAY == 8 // the poller keeps the mutex that the setter waits for
static void *a(void *p) { pthread_mutex_lock(&m); while(!atomic_load(&f)); pthread_mutex_unlock(&m); return p; }
static void *b(void *p) { pthread_mutex_lock(&m); atomic_store(&f,1); pthread_mutex_unlock(&m); return p; }
#elif WAY == 9 // the poller gives it back in each round
static void *a(void *p) { pthread_mutex_lock(&m); while(!atomic_load(&f)) { pthread_mutex_unlock(&m); sched_yield(); pthread_mutex_lock(&m);} pthread_mutex_unlock(&m); return p; }
static void *b(void *p) { pthread_mutex_lock(&m); atomic_store(&f,1); pthread_mutex_unlock(&m); return p; }
#elif WAY == 10 // the locks are given back in another order than they were taken, which matters to nobody
static void *a(void *p) { for(;;){ pthread_mutex_lock(&m); pthread_mutex_lock(&n); int r = x; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); if (r) break;
} return p; }
static void *b(void *p) { pthread_mutex_lock(&n); x = 1; pthread_mutex_unlock(&n); return p; }
#elif WAY == 11 // the two take the locks in opposite order and wait
static void *a(void *p) { for(;;){ pthread_mutex_lock(&m); pthread_mutex_lock(&n); int r = x; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); if (r) break;
} return p; }
static void *b(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return p; }
#elif WAY == 12 // C11's mutex, tried until it is free
static void *a(void *p) { while (mtx_trylock(&c11) == thrd_busy); x++; mtx_unlock(&c11); return p; }
static void *b(void *p) { mtx_lock(&c11); x++; mtx_unlock(&c11); return p; }
#elif WAY == 13 // strict alternation, as often on both sides
static void *a(void *p) { for (int i=0;i<2;i++){ while (atomic_load(&f)!=0); atomic_store(&f,1);} return p; }
static void *b(void *p) { for (int i=0;i<2;i++){ while (atomic_load(&f)!=1); atomic_store(&f,0);} return p; }
#elif WAY == 14 // one side waits once more than the other one sets
static void *a(void *p) { for (int i=0;i<2;i++){ while (atomic_load(&f)!=0); atomic_store(&f,1);} return p; }
static void *b(void *p) { for (int i=0;i<3;i++){ while (atomic_load(&f)!=1); atomic_store(&f,0);} return p; }
#endif
int main(void) {
  sem_init(&s, 0, 0);
  mtx_init(&c11, mtx_plain);
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
