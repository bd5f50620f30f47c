/* Hazard pointers as programs written for GenMC have them. Included by raveler_libc.h.

   A pointer is protected by a load of it: where it was there before and behind the store that protects it. What is retired
   is freed as soon as nothing protects it: by the thread that retires it, or by the one that protected it last. */
/* provides: __VERIFIER_hp_alloc __VERIFIER_hp_protect __VERIFIER_hp_clear __VERIFIER_hp_free __VERIFIER_hp_retire */
#ifndef RAVELER_HAZARD_H
#define RAVELER_HAZARD_H

#define RV_HAZARDS 64

static __VERIFIER_hp_t __rv_hazards[RV_HAZARDS];
static void *__rv_retired[RV_HAZARDS];
static unsigned __rv_hazard_count, __rv_retired_count;

RV_WEAK __VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
  unsigned number = __atomic_fetch_add(&__rv_hazard_count, 1, __ATOMIC_RELAXED);
  if (number >= RV_HAZARDS)
    __rv_refuse("a program can have at most 64 hazard pointers");
  return &__rv_hazards[number];
}

/* Free what was retired in this place, if nothing protects it. */
static void __rv_reclaim(unsigned place, void *object) {
  unsigned count = __atomic_load_n(&__rv_hazard_count, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < count; i++)
    if (__atomic_load_n(&__rv_hazards[i].held, __ATOMIC_ACQUIRE) == object)
      return;
  void *expected = object;
  if (__atomic_compare_exchange_n(&__rv_retired[place], &expected, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    free(object);
}

RV_WEAK void *__VERIFIER_hp_protect(__VERIFIER_hp_t *hazard, void *from) {
  void *object = __atomic_load_n((void **)from, __ATOMIC_ACQUIRE);
  __VERIFIER_hp_clear(hazard);
  if (!object)
    return object;
  __atomic_store_n(&hazard->held, object, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __VERIFIER_assume(__atomic_load_n((void **)from, __ATOMIC_ACQUIRE) == object);
  return object;
}

RV_WEAK void __VERIFIER_hp_clear(__VERIFIER_hp_t *hazard) {
  /* Nobody else writes it. */
  void *object = __atomic_load_n(&hazard->held, __ATOMIC_RELAXED);
  if (!object)
    return;
  __atomic_store_n(&hazard->held, NULL, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  unsigned count = __atomic_load_n(&__rv_retired_count, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < count; i++)
    if (__atomic_load_n(&__rv_retired[i], __ATOMIC_ACQUIRE) == object)
      __rv_reclaim(i, object);
}

RV_WEAK void __VERIFIER_hp_free(__VERIFIER_hp_t *hazard) { __VERIFIER_hp_clear(hazard); }

RV_WEAK void __VERIFIER_hp_retire(void *object) {
  unsigned place = __atomic_fetch_add(&__rv_retired_count, 1, __ATOMIC_RELAXED);
  if (place >= RV_HAZARDS)
    __rv_refuse("a program can retire at most 64 objects");
  __atomic_store_n(&__rv_retired[place], object, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __rv_reclaim(place, object);
}

#endif
