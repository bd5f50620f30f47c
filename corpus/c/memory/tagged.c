// about: pointers with marks in their low or high bits, masked, xor-ed, stored in integers and in atomics, come back to
// about: their objects
// from: by hand: addresses are multiples of 16 and below 2^47; arithmetic on them is arithmetic on numbers
// run: -DLOW | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DHIGH | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DSIGN | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DXOR | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DHALVES | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DCOPY | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DPRINT | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DHASH | sc tso pso ra rc11 rc20 | verdict=verified
// run: -DBUG_LOW | sc tso pso ra rc11 rc20 | verdict=violation
// run: -DBUG_HIGH | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
// run: -DBUG_CUT | sc tso pso ra rc11 rc20 | verdict=violation violation=out-of-bounds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic uintptr_t word;
static atomic_uint high, low;

static struct node *unpack(uintptr_t v) {
#if defined HIGH
  return (struct node *)(v & ((UINT64_C(1) << 48) - 1));
#elif defined SIGN
  return (struct node *)((intptr_t)(v << 16) >> 16);
#elif defined XOR
  return (struct node *)(v ^ (uintptr_t)&word);
#elif defined LOW
  return (struct node *)(v & ~(uintptr_t)7);
#elif defined BUG_CUT
  return (struct node *)(uintptr_t)(uint32_t)v;
#else
  return (struct node *)v;
#endif
}

static void *reader(void *arg) {
  uintptr_t v = atomic_load(&word);
#ifdef HALVES
  if (v)
    v = (uintptr_t)atomic_load(&high) << 32 | atomic_load(&low);
#endif
  if (v)
    assert(unpack(v)->value == 7); //! out-of-bounds
  return arg;
}

int main(void) {
  struct node *p = malloc(sizeof *p);
  p->value = 7;
  p->next = NULL;
  uintptr_t v = (uintptr_t)p;
#if defined LOW
  v |= 5;
#elif defined BUG_LOW
  v += 4;
#elif defined HIGH || defined SIGN || defined BUG_HIGH
  v |= UINT64_C(0xbeef) << 48;
#elif defined XOR
  v ^= (uintptr_t)&word;
#elif defined HALVES
  atomic_store(&high, v >> 32);
  atomic_store(&low, v);
#elif defined COPY
  struct node *copy;
  char bytes[sizeof p];
  memcpy(bytes, &p, sizeof p);
  memcpy(&copy, bytes, sizeof p);
  assert(copy == p && copy->value == 7);
  v = (uintptr_t)copy;
#elif defined PRINT
  char text[40], *end;
  snprintf(text, sizeof text, "%p", (void *)p);
  assert(strtoul(text, &end, 16) == v && *end == 0);
#elif defined HASH
  struct node *table[64] = {0};
  unsigned at = v * 0x9e3779b97f4a7c15u >> 58;
  table[at] = p;
  v = (uintptr_t)table[(uintptr_t)p * 0x9e3779b97f4a7c15u >> 58];
#endif
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  atomic_store(&word, v);
  pthread_join(t, NULL);
  free(p);
}
