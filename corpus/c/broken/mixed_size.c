// refuse: exit=2
// about: two threads access the same bytes in different sizes
#include <pthread.h>
#include <stddef.h>

static union {
  unsigned whole;
  unsigned char part[4];
} u;

static void *first(void *arg) {
  (void)arg;
  __atomic_store_n(&u.whole, 0x01020304, __ATOMIC_RELAXED); //! refuse
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  (void)__atomic_load_n(&u.part[0], __ATOMIC_RELAXED); //! refuse
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
