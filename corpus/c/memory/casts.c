// about: a pointer cast to every size of integer: what is left of it says that there is an object, and which
// from: by hand: the low halves of the addresses of objects are not zero and differ; 8 and 16 bits are too few for that, but
// from: the same object gives the same number. What is cut to 32 bits and assumed to be there must not end the search
// run: -DKIND_HEAP | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_LOCAL | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_GLOBAL | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_SHARED | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_THREAD_LOCAL | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_LARGE | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_FUNCTION | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: -DKIND_HEAP -DASSUME | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DKIND_LOCAL -DASSUME | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DKIND_GLOBAL -DASSUME | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DKIND_SHARED -DASSUME | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
// run: -DKIND_LARGE -DASSUME | sc tso pso ra rc11 rc20 | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

static int one, two;
static _Thread_local int mine, yours;

static void f(void) {}
static void g(void) {}

static void *touch(void *p) {
  *(int *)p = 1;
  return NULL;
}

static void check(void *p, void *q) {
  uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
#ifdef ASSUME
  __VERIFIER_assume((int)a);
  assert(0); //! assertion
#endif
  assert(p && q && p != q);
  assert((uint32_t)a != 0 && (uint32_t)b != 0 && (uint32_t)a != (uint32_t)b);
  assert((int)a != 0 && (int)a != (int)b);
  assert((unsigned)(intptr_t)p == (unsigned)a);
  assert((long)p == (intptr_t)a && (unsigned long long)p == a && (size_t)p == a);
  assert((char)a == (char)(uintptr_t)p && (short)a == (short)(uintptr_t)p);
  assert((uint8_t)a == 0 || (uint8_t)a % 16 == 0);
  assert((_Bool)p && (_Bool)a);
  assert((__int128)a == (intptr_t)p && (unsigned __int128)a >> 47 == 0);
  assert((void *)(uintptr_t)(double)a == p); // 47 bits fit into a double
  assert((void *)a == p && (char *)a + 0 == (char *)p);
  assert(((uint64_t)(uint32_t)(a >> 32) << 32 | (uint32_t)a) == a);
}

int main(void) {
#if defined KIND_HEAP
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  check(p, q);
  free(p);
  free(q);
#elif defined KIND_LARGE
  char *p = malloc(1 << 20), *q = malloc(1 << 25);
  check(p, q);
  free(p);
  free(q);
#elif defined KIND_LOCAL
  int p, q;
  check(&p, &q);
#elif defined KIND_GLOBAL
  check(&one, &two);
#elif defined KIND_THREAD_LOCAL
  check(&mine, &yours);
#elif defined KIND_FUNCTION
  check((void *)f, (void *)g);
#elif defined KIND_SHARED
  int *p = malloc(sizeof *p), q;
  pthread_t t, u;
  pthread_create(&t, NULL, touch, p);
  pthread_join(t, NULL);
  pthread_create(&u, NULL, touch, &q);
  pthread_join(u, NULL);
  check(p, &q);
  free(p);
#endif
}
