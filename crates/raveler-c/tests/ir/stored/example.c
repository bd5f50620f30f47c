#include <stdatomic.h>

struct pair {
    int a;
    long b;
};
static atomic_int x = 1;
_Thread_local int own;
int table[3] = {1, 2, 3};
struct pair pairs[2] = {{1, 2}, {3, 4}};
const char *greeting = "hello\n";
extern int printf(const char *, ...);

struct pair both(struct pair *p, int i) {
    struct pair q = p[i];
    q.a += table[i];
    return q;
}
double mean(float f, double d) { return (f + d) / 2.5f - 0.1f; }
int main(int argc, char **argv) {
    int expected = 0;
    own = argc;
    for (int i = 0; i < argc; i++) {
        switch (atomic_load_explicit(&x, memory_order_acquire)) {
        case 0: atomic_store(&x, i); break;
        case 7: atomic_fetch_add_explicit(&x, 2, memory_order_relaxed); break;
        default: atomic_compare_exchange_weak(&x, &expected, (int)both(pairs, i).b);
        }
    }
    int sizes[argc];
    sizes[0] = 3;
    atomic_thread_fence(memory_order_seq_cst);
    int (*print)(const char *, ...) = printf;
    print("%s %d %f\n", greeting, sizes[0], mean(1, 2));
    return own && argv ? expected : -1;
}
