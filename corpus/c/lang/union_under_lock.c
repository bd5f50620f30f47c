// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_UNLOCKED | rc11 rc20 | verdict=violation violation=race
// about: a union is written as a whole and read in parts, under a lock
#include <assert.h>
#include <pthread.h>
#include <string.h>

static union {
  unsigned whole;
  unsigned char part[4];
  unsigned short half[2];
} u;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
  pthread_mutex_lock(&m);
  u.whole = 0x01020304; //! race
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
#ifndef BUG_UNLOCKED
  pthread_mutex_lock(&m);
#endif
  int sum = u.part[0] + u.part[3]; //! race
  unsigned copy;
  memcpy(&copy, u.part, 4);
  assert(sum == 0 || sum == 5);
  assert(copy == 0 || copy == 0x01020304);
#ifndef BUG_UNLOCKED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(t, NULL);
  assert(u.half[1] == 0x0102);
}
