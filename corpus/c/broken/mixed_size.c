// refuse: exit=2
// about: a part of an atomic object is stored while another thread may access the whole; what C and C++ would make of that
// about: is not defined, so nothing is said of it
#include <pthread.h>
#include <stddef.h>

static union {
  unsigned whole;
  unsigned char part[4];
} u;

static void *first(void *arg) {
  (void)arg;
  (void)__atomic_load_n(&u.whole, __ATOMIC_RELAXED); //! refuse
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  __atomic_store_n(&u.part[0], 1, __ATOMIC_RELAXED); //! refuse
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
