// about: who was woken may destroy and free the condition variable; who signals after releasing the mutex may not rely on it
// from: by hand
// run: | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_SIGNAL_LATE | sc ra rc11 rc20 | verdict=violation violation=use-after-free
#include <pthread.h>
#include <stdlib.h>

struct event {
  pthread_mutex_t l;
  pthread_cond_t c;
  int ready;
};

static void *signaller(void *arg) {
  struct event *e = arg;
  pthread_mutex_lock(&e->l);
  e->ready = 1;
#ifdef BUG_SIGNAL_LATE
  pthread_mutex_unlock(&e->l);
  pthread_cond_signal(&e->c); //! use-after-free
#else
  pthread_cond_signal(&e->c);
  pthread_mutex_unlock(&e->l);
#endif
  return NULL;
}

int main(void) {
  pthread_t t;
  struct event *e = malloc(sizeof *e);
  pthread_mutex_init(&e->l, NULL);
  pthread_cond_init(&e->c, NULL);
  e->ready = 0;
  pthread_create(&t, NULL, signaller, e);
  pthread_mutex_lock(&e->l);
  while (!e->ready)
    pthread_cond_wait(&e->c, &e->l);
  pthread_mutex_unlock(&e->l);
  pthread_cond_destroy(&e->c);
  pthread_mutex_destroy(&e->l);
  free(e); //! use-after-free
  pthread_join(t, NULL);
}
