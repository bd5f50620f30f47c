// about: operations on synchronisation objects where there is none: at a null pointer, at an address that nothing lives at, in
// about: constant memory, at a function, behind the end of an object
// from: by hand: every operation accesses the memory in which its object lies, and changes it; so it is the violation that a plain
// from: write there is (PLAIN)
// run: -DAT=NOWHERE -DOP=PLAIN | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=LOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=LOCK | sc rc20 --locks ordered | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=TRY | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=INIT | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=DESTROY | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=READ_LOCK | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=SPIN | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=SIGNAL | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=WAIT | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=POST | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=TAKE | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=SEM_INIT | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOWHERE -DOP=BARRIER | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=NOTHING -DOP=PLAIN | sc rc20 | verdict=violation violation=null-dereference
// run: -DAT=NOTHING -DOP=LOCK | sc rc20 | verdict=violation violation=null-dereference
// run: -DAT=NOTHING -DOP=SIGNAL | sc rc20 | verdict=violation violation=null-dereference
// run: -DAT=NOTHING -DOP=POST | sc rc20 | verdict=violation violation=null-dereference
// run: -DAT=NOTHING -DOP=BARRIER | sc rc20 | verdict=violation violation=null-dereference
// run: -DAT=CONSTANT -DOP=PLAIN | sc rc20 | verdict=violation violation=other
// run: -DAT=CONSTANT -DOP=LOCK | sc rc20 | verdict=violation violation=other
// run: -DAT=CONSTANT -DOP=READ_LOCK | sc rc20 | verdict=violation violation=other
// run: -DAT=CONSTANT -DOP=SIGNAL | sc rc20 | verdict=violation violation=other
// run: -DAT=CONSTANT -DOP=POST | sc rc20 | verdict=violation violation=other
// run: -DAT=CONSTANT -DOP=BARRIER | sc rc20 | verdict=violation violation=other
// run: -DAT=FUNCTION -DOP=PLAIN | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=FUNCTION -DOP=LOCK | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=FUNCTION -DOP=POST | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=BEHIND -DOP=PLAIN | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=BEHIND -DOP=LOCK | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=BEHIND -DOP=SIGNAL | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=BEHIND -DOP=POST | sc rc20 | verdict=violation violation=out-of-bounds
// run: -DAT=SOMEWHERE -DOP=LOCK | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DAT=SOMEWHERE -DOP=POST | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DAT=SOMEWHERE -DOP=SIGNAL | sc tso pso ra rc11 rc20 | verdict=verified
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

static const char constant[64];
static _Alignas(64) char object[64];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void);

#define NOWHERE ((void *)(uintptr_t)0xdeadbee0)
#define NOTHING NULL
#define CONSTANT ((void *)constant)
#define FUNCTION ((void *)main)
#define BEHIND ((void *)(object + 64))
#define SOMEWHERE ((void *)object)

#define PLAIN(at) (*(int *)(at) = 1)
#define LOCK(at) (pthread_mutex_lock(at), pthread_mutex_unlock(at))
#define TRY(at) pthread_mutex_trylock(at)
#define INIT(at) pthread_mutex_init(at, NULL)
#define DESTROY(at) pthread_mutex_destroy(at)
#define READ_LOCK(at) pthread_rwlock_rdlock(at)
#define SPIN(at) pthread_spin_lock(at)
#define SIGNAL(at) pthread_cond_signal(at)
#define WAIT(at) (pthread_mutex_lock(&m), pthread_cond_wait(at, &m))
#define POST(at) sem_post(at)
#define TAKE(at) sem_wait(at)
#define SEM_INIT(at) sem_init(at, 0, 1)
#define BARRIER(at) pthread_barrier_wait(at)

int main(void) {
  void *at = AT;
  OP(at); //! out-of-bounds null-dereference other
  return 0;
}
