/* Functions that run when the process ends, for programs in which another thread than the first gives them or ends the
   process: the list is shared memory then. Included by raveler_libc.h. */
/* provides: __rv_at_exit __rv_leave */
#ifndef RAVELER_EXITS_H
#define RAVELER_EXITS_H

void __rv_at_program_end(void (*function)(void *), void *argument);
void __rv_at_quick_end(void (*function)(void *), void *argument);

#define RV_MOST_EXITS 64

typedef struct {
  unsigned long count;
  struct {
    void *function, *argument;
  } all[RV_MOST_EXITS];
} __rv_exits;

/* Of exit and of quick_exit. */
static __rv_exits __exit_handlers[2];
/* The argument of functions that have none. */
static char __rv_no_argument;

/* Giving a function orders nothing but what was before it and its call. */
RV_WEAK int __rv_at_exit(void *function, void *argument, int quick) {
  __rv_exits *exits = &__exit_handlers[quick & 1];
  unsigned long at = __atomic_fetch_add(&exits->count, 1, __ATOMIC_RELAXED);
  if (at >= RV_MOST_EXITS)
    __rv_refuse("more than 64 functions that run when the process ends, where several threads give them");
  exits->all[at].argument = quick & 2 ? &__rv_no_argument : argument;
  __atomic_store_n(&exits->all[at].function, function, __ATOMIC_RELEASE);
  return 0;
}

/* Run those below `top`, the last first, and before them what they give meanwhile, so that there are no longer `known`. */
static void __rv_run_exits(__rv_exits *exits, unsigned long top, unsigned long known) {
  if (!top)
    return;
  void *function = __atomic_exchange_n(&exits->all[--top].function, NULL, __ATOMIC_ACQUIRE);
  if (function) {
    void *argument = exits->all[top].argument;
    if (argument == &__rv_no_argument)
      ((void (*)(void))function)();
    else
      ((void (*)(void *))function)(argument);
    unsigned long now = __atomic_load_n(&exits->count, __ATOMIC_RELAXED);
    if (now != known)
      top = known = now;
  }
  __rv_run_exits(exits, top, known);
}

static void __rv_exits_of(void *exits) {
  unsigned long count = __atomic_load_n(&((__rv_exits *)exits)->count, __ATOMIC_RELAXED);
  __rv_run_exits((__rv_exits *)exits, count, count);
}

/* The thread runs them if it ends the process. */
RV_WEAK void __rv_leave(void) {
  static __thread char knows;
  if (knows)
    return;
  knows = 1;
  __rv_at_program_end(__rv_exits_of, &__exit_handlers[0]);
  __rv_at_quick_end(__rv_exits_of, &__exit_handlers[1]);
}

#endif
