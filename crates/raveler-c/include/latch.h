/* <latch>: ours instead of libstdc++'s; any other library's stays. */
#if defined __cplusplus && __cplusplus > 201703L && defined __GLIBCXX__
#include "raveler_latch.h"
#else
#include_next <latch>
#endif
