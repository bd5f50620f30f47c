// about: output is shown in reports and changes nothing: executions are those of the program without it, loops that print wait
// from: by hand: store buffering has 3 executions under sc and 4 elsewhere; the rounds of the last loop change nothing.
// A text that another thread writes meanwhile races
// run: | sc | verdict=verified executions=3 blocked=0
// run: | tso pso ra rc11 rc20 xmm | verdict=verified executions=4 blocked=0
// run: -DQUIET | sc | verdict=verified executions=3 blocked=0
// run: -DQUIET | tso pso ra rc11 rc20 xmm | verdict=verified executions=4 blocked=0
// run: -DBUG_SHARED_TEXT | rc11 rc20 | verdict=violation violation=race
// run: -DBUG_NO_TEXT | rc20 | verdict=violation violation=uninitialised-read
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int x, y, done;
static char text[4];

#ifdef QUIET
#define SAY(...)
#else
#define SAY(...) printf(__VA_ARGS__)
#endif

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  int seen = atomic_load_explicit(&y, memory_order_relaxed);
  SAY("left saw %d\n", seen);
#ifdef BUG_SHARED_TEXT
  text[0] = 'l'; //! race
#endif
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  SAY("right saw %d at %p\n", seen, (void *)&x);
#ifdef BUG_SHARED_TEXT
  puts(text); //! race
#endif
#ifdef BUG_NO_TEXT
  char own[4];
  fputs(own, stderr); //! uninitialised-read
#endif
  return unused;
}

static void *last(void *unused) {
  while (!atomic_load(&done))
    SAY("waiting\n");
  return unused;
}

int main(void) {
  pthread_t threads[3];
  SAY("%s\n", "begin");
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  pthread_create(&threads[2], NULL, last, NULL);
#ifndef QUIET
  write(2, "over\n", 5);
  putchar('!');
#endif
  atomic_store(&done, 1);
  pthread_join(threads[2], NULL);
}
