/* Functions of the C library in C, for programs that call them. Included before the program's own headers. */
#ifndef RAVELER_LIBC_H
#define RAVELER_LIBC_H

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef __cplusplus
#include <threads.h>
#endif

#ifdef __cplusplus
#define RV_NOEXCEPT noexcept
extern "C" {
#else
#define RV_NOEXCEPT
#endif

#define RV_WEAK __attribute__((weak))

#ifdef __cplusplus
#define _Bool bool
#endif
#include "raveler_strings.h"

RV_WEAK size_t strlen(const char *s) RV_NOEXCEPT {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

RV_WEAK int strncmp(const char *a, const char *b, size_t n) RV_NOEXCEPT {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}

RV_WEAK int strcmp(const char *a, const char *b) RV_NOEXCEPT { return strncmp(a, b, (size_t)-1); }

RV_WEAK char *strncpy(char *to, const char *from, size_t n) RV_NOEXCEPT {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

RV_WEAK char *strcpy(char *to, const char *from) RV_NOEXCEPT {
  size_t i = 0;
  do {
    to[i] = from[i];
  } while (from[i++]);
  return to;
}

RV_WEAK char *strcat(char *to, const char *from) RV_NOEXCEPT {
  strcpy(to + strlen(to), from);
  return to;
}

RV_WEAK char *__rv_strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

RV_WEAK void *__rv_memchr(const void *at, int c, size_t n) {
  const unsigned char *bytes = (const unsigned char *)at;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == (unsigned char)c)
      return (void *)(bytes + i);
  return NULL;
}

RV_WEAK int memcmp(const void *a, const void *b, size_t n) RV_NOEXCEPT {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

RV_WEAK int abs(int n) RV_NOEXCEPT { return n < 0 ? -n : n; }

RV_WEAK long labs(long n) RV_NOEXCEPT { return n < 0 ? -n : n; }

/* 0: nobody came yet, 1: somebody is at it, 2: done. */
RV_WEAK int pthread_once(pthread_once_t *once, void (*run)(void)) {
  int *state = (int *)once, nobody = 0;
  if (__atomic_compare_exchange_n(state, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    run();
    __atomic_store_n(state, 2, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != 2)
      ;
  }
  return 0;
}

#ifndef __cplusplus
RV_WEAK void call_once(once_flag *once, void (*run)(void)) { pthread_once((pthread_once_t *)once, run); }
#endif

/* Thread-safe initialisation of a local static variable: its first byte says that it is done, the second that somebody
   is at it. */
RV_WEAK int __cxa_guard_acquire(long long *guard) RV_NOEXCEPT {
  char *done = (char *)guard, *begun = done + 1, nobody = 0;
  if (__atomic_compare_exchange_n(begun, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
    return 1;
  while (!__atomic_load_n(done, __ATOMIC_ACQUIRE))
    ;
  return 0;
}

RV_WEAK void __cxa_guard_release(long long *guard) RV_NOEXCEPT {
  __atomic_store_n((char *)guard, 1, __ATOMIC_RELEASE);
}

RV_WEAK char *strdup(const char *s) RV_NOEXCEPT {
  char *copy = (char *)malloc(strlen(s) + 1);
  return strcpy(copy, s);
}

/* std::_Hash_bytes */
RV_WEAK size_t _ZSt11_Hash_bytesPKvmm(const void *at, size_t n, size_t seed) {
  const unsigned char *bytes = (const unsigned char *)at;
  for (size_t i = 0; i < n; i++)
    seed = (seed ^ bytes[i]) * 1099511628211ul;
  return seed;
}

/* The nodes of std::list: next and previous. */
struct rv_list {
  struct rv_list *next, *previous;
};

/* std::__detail::_List_node_base::_M_hook */
RV_WEAK void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct rv_list *node, struct rv_list *before) {
  node->next = before;
  node->previous = before->previous;
  before->previous->next = node;
  before->previous = node;
}

/* _M_unhook */
RV_WEAK void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct rv_list *node) {
  node->next->previous = node->previous;
  node->previous->next = node->next;
}

/* _M_transfer: the nodes from first to before last are moved before a node. */
RV_WEAK void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct rv_list *before, struct rv_list *first,
                                                                  struct rv_list *last) {
  if (before == last || first == last)
    return;
  struct rv_list *end = last->previous, *ahead = before->previous;
  first->previous->next = last;
  last->previous = first->previous;
  ahead->next = first;
  first->previous = ahead;
  end->next = before;
  before->previous = end;
}

/* The nodes of std::map and std::set. The tree is not balanced: nobody can tell but by the time it takes. The colour is
   1; only that of the header is 0. */
struct rv_tree {
  int colour;
  struct rv_tree *parent, *left, *right;
};

/* std::_Rb_tree_increment */
RV_WEAK struct rv_tree *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct rv_tree *x) {
  if (x->right) {
    for (x = x->right; x->left; x = x->left)
      ;
    return x;
  }
  struct rv_tree *y = x->parent;
  while (x == y->right) {
    x = y;
    y = y->parent;
  }
  return x->right != y ? y : x;
}

RV_WEAK const struct rv_tree *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(const struct rv_tree *x) {
  return _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base((struct rv_tree *)x);
}

/* std::_Rb_tree_decrement */
RV_WEAK struct rv_tree *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct rv_tree *x) {
  if (x->colour == 0 && x->parent->parent == x)
    return x->right;
  if (x->left) {
    for (x = x->left; x->right; x = x->right)
      ;
    return x;
  }
  struct rv_tree *y = x->parent;
  while (x == y->left) {
    x = y;
    y = y->parent;
  }
  return y;
}

RV_WEAK const struct rv_tree *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(const struct rv_tree *x) {
  return _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base((struct rv_tree *)x);
}

/* std::_Rb_tree_insert_and_rebalance: the header's left and right are the first and the last node. */
RV_WEAK void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, struct rv_tree *x,
                                                                               struct rv_tree *p,
                                                                               struct rv_tree *header) {
  x->parent = p;
  x->left = x->right = NULL;
  x->colour = 1;
  if (p == header) {
    header->parent = header->left = header->right = x;
  } else if (left) {
    p->left = x;
    if (p == header->left)
      header->left = x;
  } else {
    p->right = x;
    if (p == header->right)
      header->right = x;
  }
}

/* std::_Rb_tree_rebalance_for_erase: take a node out, and give it back. */
RV_WEAK struct rv_tree *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct rv_tree *z,
                                                                                      struct rv_tree *header) {
  struct rv_tree *instead;
  if (!z->left) {
    instead = z->right;
  } else if (!z->right) {
    instead = z->left;
  } else {
    for (instead = z->right; instead->left; instead = instead->left)
      ;
    if (instead != z->right) {
      instead->parent->left = instead->right;
      if (instead->right)
        instead->right->parent = instead->parent;
      instead->right = z->right;
      z->right->parent = instead;
    }
    instead->left = z->left;
    z->left->parent = instead;
  }
  if (instead)
    instead->parent = z->parent;
  if (z == header->parent)
    header->parent = instead;
  else if (z->parent->left == z)
    z->parent->left = instead;
  else
    z->parent->right = instead;
  if (z == header->left) {
    struct rv_tree *first = instead ? instead : z->parent;
    while (first != header && first->left)
      first = first->left;
    header->left = first;
  }
  if (z == header->right) {
    struct rv_tree *last = instead ? instead : z->parent;
    while (last != header && last->right)
      last = last->right;
    header->right = last;
  }
  return z;
}

/* When std::unordered_map grows: std::__detail::_Prime_rehash_policy. */
struct rv_rehash {
  _Bool needed;
  size_t buckets;
};

RV_WEAK size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(const void *policy, size_t n) {
  (void)policy;
  return n | 1;
}

RV_WEAK struct rv_rehash _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(const void *policy, size_t buckets,
                                                                                   size_t elements, size_t more) {
  struct rv_rehash answer = {0, 0};
  (void)policy;
  if (elements + more > buckets) {
    answer.needed = 1;
    answer.buckets = (elements + more + 2 * buckets) | 1;
  }
  return answer;
}

/* How many are awaited, how many are there, which round it is. */
RV_WEAK int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                       unsigned count) RV_NOEXCEPT {
  unsigned *word = (unsigned *)barrier;
  (void)attributes;
  word[0] = count;
  __atomic_store_n(&word[1], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&word[2], 0, __ATOMIC_RELAXED);
  return 0;
}

RV_WEAK int pthread_barrier_wait(pthread_barrier_t *barrier) RV_NOEXCEPT {
  unsigned *word = (unsigned *)barrier;
  unsigned round = __atomic_load_n(&word[2], __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&word[1], 1, __ATOMIC_ACQ_REL) == word[0]) {
    __atomic_store_n(&word[1], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&word[2], round + 1, __ATOMIC_RELEASE);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (__atomic_load_n(&word[2], __ATOMIC_ACQUIRE) == round)
    ;
  return 0;
}

RV_WEAK int pthread_barrier_destroy(pthread_barrier_t *barrier) RV_NOEXCEPT {
  (void)barrier;
  return 0;
}

#ifdef __cplusplus
}
#undef _Bool

namespace std {
extern __thread void (*__once_call)();
}

/* What std::call_once gives to pthread_once: the function to be called is the thread's own. */
extern "C" RV_WEAK void __once_proxy() { std::__once_call(); }
#endif

#ifdef __cplusplus
#include "raveler_cpp.h"
#endif

#endif
