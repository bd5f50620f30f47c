// about: the end of a block ends its variables: a pointer that is left over points to nothing, whoever uses it
// from: by hand: C11 6.2.4: a variable lives from the entry of its block until the block is left, by whichever way, and
// from: each entry begins a new life, in which it has no value at first
// run: -DINNER | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DINNER -DWRITES | sc rc20 | verdict=violation violation=use-after-free
// run: -DINNER -DINSIDE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DNESTED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DNESTED -DINSIDE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DLOOP | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLOOP -DINSIDE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DLAST_ROUND | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLAST_ROUND -DPUBLISHED | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLAST_ROUND -DROUNDS=40 | sc rc20 | verdict=violation violation=use-after-free
// run: -DLAST_ROUND -DINSIDE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DNO_VALUE | sc tso pso ra rc11 rc20 | verdict=violation violation=uninitialised-read
// run: -DNO_VALUE -DARRAY | sc rc20 | verdict=violation violation=uninitialised-read
// run: -DNO_VALUE -DREGISTER | sc rc20 | verdict=violation violation=uninitialised-read
// run: -DNO_VALUE -DINSIDE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DBREAK | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DCONTINUE | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DGOTO | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DGOTO_BACK | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DSWITCH | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DEXPRESSION | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DLOCK | sc tso pso ra rc11 rc20 | verdict=violation violation=use-after-free
// run: -DJUMPED_OVER | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DRECURSIVE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DMANY | sc rc20 | verdict=verified executions=1
// run: -DAT_EXIT | sc rc20 | verdict=violation violation=use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifdef WRITES
#define USE(p) (*(p) = 1)
#else
#define USE(p) assert(*(p) == 5)
#endif

static int *volatile global;
static int count;

static int depth(int n, int *outer) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int mine = n;
    if (n > 0) sum += depth(n - 1, &mine);
    assert(mine == n && (!outer || *outer == n + 1));
    sum += mine;
  }
  return sum;
}

static void at_exit(void) {
  USE(global); //! use-after-free
}

int main(void) {
  int *p = NULL;
#if defined INNER
  {
    int v = 5;
    p = &v;
#ifdef INSIDE
    USE(p);
    p = NULL;
#endif
  }
  if (p) USE(p); //! use-after-free
#elif defined NESTED
  {
    int outer = 5;
    int *q = &outer;
    {
      int v[2] = {5, 5};
      p = &v[1];
    }
#ifdef INSIDE
    USE(q);
    p = q;
#endif
    USE(p); //! use-after-free
  }
#elif defined LOOP
  for (int i = 0; i < ROUNDS; i++) {
    struct { char c; int v; } s = {1, 5};
    p = &s.v;
#ifdef INSIDE
    USE(p);
    p = NULL;
#endif
  }
  if (p) USE(p); //! use-after-free
#elif defined LAST_ROUND
  for (int i = 0; i < ROUNDS; i++) {
    int v = 5;
#ifdef INSIDE
    p = &v;
#endif
#ifdef PUBLISHED
    // Other threads could see it, but do not look.
    if (i == 0) global = &v;
    if (i == ROUNDS - 1) USE(global); //! use-after-free
#else
    if (i == 0) p = &v;
    if (i == ROUNDS - 1) USE(p); //! use-after-free
#endif
  }
#elif defined NO_VALUE
  for (int i = 0; i < ROUNDS; i++) {
#if defined REGISTER
    int v;
#elif defined ARRAY
    int all[4];
#define v all[i & 1]
#else
    int v;
    global = &v;
#endif
#ifndef INSIDE
    if (i == 0)
#endif
      v = 5;
    assert(v == 5); //! uninitialised-read
  }
#elif defined BREAK
  while (1) {
    int v = 5;
    p = &v;
    if (count++ == 1) break;
  }
  USE(p); //! use-after-free
#elif defined CONTINUE
  while (count++ < 2) {
    int v = 5;
    p = &v;
    if (count) continue;
    count = 7;
  }
  USE(p); //! use-after-free
#elif defined GOTO
  {
    int v = 5;
    p = &v;
    if (!count) goto out;
    count = 1;
  }
out:
  USE(p); //! use-after-free
#elif defined GOTO_BACK
again:
  if (count == 2) USE(p); //! use-after-free
  {
    int v = 5;
    p = &v;
    count++;
    goto again;
  }
#elif defined SWITCH
  switch (count) {
  case 0: {
    int v = 5;
    p = &v;
    break;
  }
  default:
    break;
  }
  USE(p); //! use-after-free
#elif defined EXPRESSION
  p = ({
    int v = 5;
    &v;
  });
  USE(p); //! use-after-free
#elif defined LOCK
  pthread_mutex_t *m;
  {
    pthread_mutex_t v;
    pthread_mutex_init(&v, NULL);
    m = &v;
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
  }
  pthread_mutex_lock(m); //! use-after-free
#elif defined JUMPED_OVER
  // There is a way into the block that does not pass the declaration.
  switch (count) {
    int v;
  case 0:
    v = 5;
    p = &v;
    USE(p);
  }
#elif defined RECURSIVE
  assert(depth(3, NULL) == 2 * (3 + 2 * (2 + 2 * (1))));
#elif defined MANY
  for (int i = 0; i < 100000; i++) {
    int v = i;
    p = &v;
    count += *p != i;
  }
  assert(count == 0);
#elif defined AT_EXIT
  atexit(at_exit);
  {
    int v = 5;
    global = &v;
  }
#endif
  return 0;
}
