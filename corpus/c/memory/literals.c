// about: compound literals live until the block around them ends, whoever still points to them
// from: by hand (C11 6.5.2.5p5). As written main waits for the thread inside of the block. AFTER: the thread may read the
// from: literal when the block is over. ARRAY: so may the thread of a round of a loop, whose body is a block; the next
// from: round has a literal of its own. AGAIN: the example of p16 of the standard: going back inside of a block comes to
// from: the same object. CLEANUP: what `cleanup` calls runs before the block is over. EXPRESSION: a statement expression
// from: is a block. SUBSTATEMENT: so is the statement that an `if` governs (6.8.4p3), with braces or without. TRIES: a literal in a waiting loop makes no round differ.
// run: | sc tso rc11 rc20 | verdict=verified executions=2
// run: -DAFTER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DAFTER | sc rc20 --equivalence co | verdict=violation violation=use-after-free
// run: -DARRAY | sc tso rc20 | verdict=violation violation=use-after-free
// run: -DARRAY -DJOINED | sc tso rc20 | verdict=verified executions=1
// run: -DAGAIN | sc rc20 | verdict=verified executions=1
// run: -DCLEANUP | sc rc20 | verdict=verified executions=1
// run: -DEXPRESSION | sc rc20 | verdict=violation violation=use-after-free
// run: -DSUBSTATEMENT | sc tso rc20 | verdict=violation violation=use-after-free
// run: -DTRIES | sc tso rc20 | verdict=verified executions=2
// run: -DENDLESS | sc rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a;
  int b;
};

struct pair *_Atomic shared;
atomic_int taken;
int sum;

static void *reader(void *unused) {
  struct pair *p = atomic_load(&shared);
  return p ? (void *)(long)p->a : 0; //! use-after-free(AFTER)
}

static void *second(void *array) {
  return (void *)(long)((int *)array)[1]; //! use-after-free(ARRAY,EXPRESSION,ENDLESS,SUBSTATEMENT)
}

static void *taker(void *unused) {
  while (!atomic_compare_exchange_strong(&taken, &(int){0}, 1))
    ;
  atomic_store(&taken, 0);
  return 0;
}

static void add(struct pair **p) {
  sum += (*p)->a;
}

int main(void) {
  pthread_t t[2];
#if defined AFTER
  pthread_create(&t[0], 0, reader, 0);
  if (!sum) {
    atomic_store(&shared, (&(struct pair){1, 2}));
  } //! use-after-free(AFTER)
  pthread_join(t[0], 0);
#elif defined ARRAY
  for (int i = 0; i < 2; i++) { //! use-after-free(ARRAY)
    pthread_create(&t[i], 0, second, (int[]){i, i + 1});
#ifdef JOINED
    pthread_join(t[i], 0);
  }
#else
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
#endif
#elif defined ENDLESS
  int i = 0;
  for (;;) { //! use-after-free(ENDLESS)
    pthread_create(&t[i], 0, second, (int[]){i, i + 1});
    if (++i == 2)
      break;
  } //! use-after-free(ENDLESS)
  pthread_join(t[0], 0); //! use-after-free(ENDLESS)
  pthread_join(t[1], 0);
#elif defined AGAIN
  {
    struct pair *p = 0, *q;
    int j = 0;
  again:
    q = p;
    p = &(struct pair){j++, 7};
    if (j < 2)
      goto again;
    assert(p == q && q->a == 1 && q->b == 7);
    pthread_create(&t[0], 0, second, p);
    pthread_join(t[0], 0);
  }
#elif defined CLEANUP
  for (int j = 0; j < 3; j++) {
    struct pair *p __attribute__((cleanup(add))) = &(struct pair){j, j};
    if (j == 1)
      continue;
    pthread_create(&t[0], 0, second, p);
    pthread_join(t[0], 0);
    if (j == 2)
      break;
  }
  assert(sum == 3);
#elif defined EXPRESSION
  int *q = ({
    int *inner = (int[]){1, 2};
    sum += inner[1];
    inner;
  });
  pthread_create(&t[0], 0, second, q); //! use-after-free(EXPRESSION)
  pthread_join(t[0], 0);
#elif defined SUBSTATEMENT
  int *q = 0;
  if (!sum)
    q = (int[]){1, 2};
  pthread_create(&t[0], 0, second, q); //! use-after-free(SUBSTATEMENT)
  pthread_join(t[0], 0);
#elif defined TRIES
  pthread_create(&t[0], 0, taker, 0);
  for (;;) {
    if (atomic_compare_exchange_strong(&taken, &(int){0}, 1))
      break;
  }
  atomic_store(&taken, 0);
  pthread_join(t[0], 0);
#else
  {
    pthread_create(&t[0], 0, reader, 0);
    atomic_store(&shared, (&(struct pair){1, 2}));
    pthread_join(t[0], 0);
  }
#endif
  return 0;
}
