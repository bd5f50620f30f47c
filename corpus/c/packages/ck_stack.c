// about: ConcurrencyKit's stack: two threads push, one pops what it finds
// needs: ck_stack.h
// from: by hand: the library is right; each macro BUG_… takes something away
// run: | tso | verdict=verified
// run: -DWEAK | rc11 rc20 | verdict=verified
// run: -DBUG_STORE | tso | verdict=violation violation=assertion
#include <assert.h>
#include <pthread.h>
#include <ck_md.h>
#ifdef WEAK
#undef CK_MD_TSO
#define CK_MD_RMO
#endif
#include <ck_stack.h>

struct item {
  int value;
  ck_stack_entry_t entry;
};

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[2];

static void *push(void *which) {
  struct item *item = &items[(long)which];
  item->value = 7;
#ifdef BUG_STORE
  item->entry.next = stack.head;
  stack.head = &item->entry;
#else
  ck_stack_push_upmc(&stack, &item->entry);
#endif
  return 0;
}

static void *pop(void *unused) {
  ck_stack_entry_t *entry = ck_stack_pop_upmc(&stack);
  if (entry) {
    struct item *item = (struct item *)((char *)entry - offsetof(struct item, entry));
    assert(item->value == 7);
  }
  return entry;
}

int main(void) {
  pthread_t threads[3];
  void *popped;
  int left = 0;
  pthread_create(&threads[0], 0, push, (void *)0);
  pthread_create(&threads[1], 0, push, (void *)1);
  pthread_create(&threads[2], 0, pop, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  pthread_join(threads[2], &popped);
  while (ck_stack_pop_npsc(&stack))
    left++;
  assert(left == (popped ? 1 : 2));
  return 0;
}
