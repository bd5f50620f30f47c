/* What a program can say to raveler. */
#ifndef RAVELER_H
#define RAVELER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest. */
void rv_assume(int condition);
/* The condition must be true. */
void rv_assert(int condition, const char *message);
/* Any value from low to high, both included. */
int rv_choose(int low, int high);
/* Collect a value under a name; the set of all values is part of the result. */
void rv_observe(const char *name, long value);

/* Wait until the condition is true. */
#define rv_wait_until(condition) \
  do {                           \
  } while (!(condition))

void __VERIFIER_assume(int condition);
void __VERIFIER_error(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);
void __VERIFIER_loop_bound(int);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);

/* Threads as programs written for GenMC start them. */
typedef long __VERIFIER_thread_t;
__VERIFIER_thread_t __VERIFIER_spawn(void *(*function)(void *), void *argument);
__VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument, __VERIFIER_thread_t like);
void *__VERIFIER_join(__VERIFIER_thread_t thread);
void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread);

/* Hazard pointers: what is retired is freed when nothing protects it. */
#ifndef RV_HAZARD_POINTER
#define RV_HAZARD_POINTER
typedef struct {
  void *held;
} __VERIFIER_hp_t;
#endif
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
void *__VERIFIER_hp_protect(__VERIFIER_hp_t *hazard, void *from);
void __VERIFIER_hp_clear(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_free(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_retire(void *object);

/* Memory. */
void *__VERIFIER_malloc(__SIZE_TYPE__ size);
void __VERIFIER_free(void *object);

/* A lock. */
typedef struct {
  volatile int held;
} __VERIFIER_plock_t;
int __VERIFIER_plock_lock(__VERIFIER_plock_t *lock);
int __VERIFIER_plock_unlock(__VERIFIER_plock_t *lock);

/* Marks of a method in a history: of no interest. */
void __VERIFIER_method_begin(const char *name, int argument);
void __VERIFIER_method_end(const char *name, int result);

/* What lets other checkers leave executions out: the operation itself. */
#define __VERIFIER_local_write(operation) \
  do {                                    \
    operation;                            \
  } while (0)
#define __VERIFIER_final_write(operation) __VERIFIER_local_write(operation)
#define __VERIFIER_helped_CAS(operation) __VERIFIER_local_write(operation)
#define __VERIFIER_helping_CAS(operation) __VERIFIER_local_write(operation)
#define __VERIFIER_speculative_read(operation) (operation)
#define __VERIFIER_confirming_read(operation) (operation)
#define __VERIFIER_confirming_CAS(operation) (operation)
#define __VERIFIER_final_CAS(operation) (operation)

/* Something that may be done besides, without anything behind it. */
#define __VERIFIER_optional(operation) \
  do {                                 \
    if (rv_choose(0, 1)) {             \
      operation;                       \
      rv_assume(0);                    \
    }                                  \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif
