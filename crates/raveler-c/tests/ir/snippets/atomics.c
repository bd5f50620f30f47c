// Every kind of atomic access with every order.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct small {
    int a, b;
};
struct large {
    long a, b, c;
};
typedef struct {
    _Alignas(16) long a;
    long b;
} sixteen;

atomic_int x;
_Atomic(int *) p;
atomic_bool flag;
atomic_flag lock = ATOMIC_FLAG_INIT;
_Atomic float f;
_Atomic double d;
_Atomic struct small small;
_Atomic struct large large;
_Atomic sixteen both;
_Atomic __int128 widest;
atomic_uchar byte;
volatile atomic_long seen;
int plain;

void loads(int *r) {
    r[0] = atomic_load(&x);
    r[1] = atomic_load_explicit(&x, memory_order_relaxed);
    r[2] = atomic_load_explicit(&x, memory_order_acquire);
    r[3] = atomic_load_explicit(&x, memory_order_consume);
    r[4] = (int)seen + byte + flag + (int)f + (int)d;
    r[5] = *p;
    __atomic_load(&plain, &r[6], __ATOMIC_SEQ_CST);
}
void stores(int v) {
    atomic_store(&x, v);
    atomic_store_explicit(&x, v, memory_order_relaxed);
    atomic_store_explicit(&x, v, memory_order_release);
    seen = v;
    f = v;
    p = &plain;
    atomic_init(&x, 0);
}
int updates(int v) {
    v += atomic_fetch_add(&x, v);
    v += atomic_fetch_sub_explicit(&x, v, memory_order_relaxed);
    v += atomic_fetch_or_explicit(&x, v, memory_order_acquire);
    v += atomic_fetch_and_explicit(&x, v, memory_order_release);
    v += atomic_fetch_xor_explicit(&x, v, memory_order_acq_rel);
    v += atomic_exchange(&x, v);
    v += __atomic_fetch_nand(&plain, v, __ATOMIC_SEQ_CST);
    v += __atomic_add_fetch(&plain, v, __ATOMIC_SEQ_CST);
    v += __atomic_fetch_max(&plain, v, __ATOMIC_RELAXED) + __atomic_fetch_min(&plain, v, __ATOMIC_RELAXED);
    v += __sync_fetch_and_add(&plain, 1) + __sync_lock_test_and_set(&plain, 2);
    v += atomic_flag_test_and_set(&lock);
    atomic_flag_clear_explicit(&lock, memory_order_release);
    __sync_lock_release(&plain);
    x++;
    --byte;
    x *= 3;
    f += 1.5f;
    d -= 0.5;
    p++;
    flag |= v;
    seen ^= 5;
    return v;
}
bool exchanges(int *e, int v) {
    bool r = atomic_compare_exchange_strong(&x, e, v);
    r |= atomic_compare_exchange_weak(&x, e, v);
#define STRONG(s, f) r |= atomic_compare_exchange_strong_explicit(&x, e, v, memory_order_##s, memory_order_##f)
#define WEAK(s, f) r |= atomic_compare_exchange_weak_explicit(&x, e, v, memory_order_##s, memory_order_##f)
    STRONG(relaxed, relaxed);
    STRONG(acquire, relaxed);
    STRONG(acquire, acquire);
    STRONG(release, relaxed);
    STRONG(acq_rel, acquire);
    STRONG(seq_cst, relaxed);
    STRONG(relaxed, seq_cst);
    STRONG(release, acquire);
    WEAK(relaxed, relaxed);
    WEAK(acq_rel, acquire);
    WEAK(seq_cst, seq_cst);
    r |= __sync_bool_compare_and_swap(&plain, 1, 2);
    int *null = 0;
    r |= atomic_compare_exchange_strong(&p, &null, &plain);
    return r;
}
void fences(void) {
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    __sync_synchronize();
}
int structs(struct small s, struct large l) {
    small = s;
    large = l;
    struct small t = atomic_exchange(&small, s);
    sixteen u = {1, 2}, v = both;
    atomic_compare_exchange_strong(&both, &v, u);
    widest += 1;
    struct large m = large;
    return t.a + (int)m.b + (int)v.b;
}
int any_order(memory_order o, memory_order q, int *e) {
    atomic_thread_fence(o);
    atomic_store_explicit(&x, 1, o);
    return atomic_load_explicit(&x, o) + atomic_fetch_add_explicit(&x, 1, o) +
           atomic_compare_exchange_weak_explicit(&x, e, 2, o, q);
}
