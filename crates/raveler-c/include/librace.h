/* CDSChecker's accesses to memory that is not atomic: plain accesses, which may race. */
#ifndef RAVELER_LIBRACE_H
#define RAVELER_LIBRACE_H

#include <stdint.h>

#define RV_ACCESS(bits)                                                                                                \
  static inline uint##bits##_t load_##bits(const void *at) { return *(const uint##bits##_t *)at; }                     \
  static inline void store_##bits(void *at, uint##bits##_t value) { *(uint##bits##_t *)at = value; }

RV_ACCESS(8)
RV_ACCESS(16)
RV_ACCESS(32)
RV_ACCESS(64)

#undef RV_ACCESS

#endif
