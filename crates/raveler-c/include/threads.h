/* The system's <threads.h>, and thrd_join with one argument as CDSChecker has it. */
#include_next <threads.h>

#ifndef thrd_join
#define RV_JOIN_ONE(thread) (thrd_join)(thread, 0)
#define RV_JOIN_TWO(thread, result) (thrd_join)(thread, result)
#define RV_JOIN(one, two, which, ...) which
#define thrd_join(...) RV_JOIN(__VA_ARGS__, RV_JOIN_TWO, RV_JOIN_ONE, )(__VA_ARGS__)
#endif
