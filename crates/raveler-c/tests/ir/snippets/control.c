// Switches, computed goto, function pointers, variable arguments, variable-length arrays, inline assembly.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pick(unsigned long long x) {
    switch (x) {
    case 0: return 1;
    case 1 ... 4: return 2;
    case 0xffffffffffffffffull: return 3;
    default: break;
    }
    switch ((signed char)x) {
    case -1: return 4;
    case 'a': x++; // falls through
    case 'b': return (int)x;
    }
    return 0;
}
int interpret(const unsigned char *code) {
    static void *const labels[] = {&&stop, &&add, &&sub};
    int r = 0;
    goto *labels[*code++];
add:
    r++;
    goto *labels[*code++];
sub:
    r--;
    goto *labels[*code++];
stop:
    return r;
}

typedef int (*operation)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
operation operations[] = {plus, minus, 0};
operation choose(int i) { return i < 2 ? operations[i] : 0; }
int (*(*chooser)(int))(int, int) = choose;
int unprototyped();
int apply(int i) { return chooser(i)(1, 2) + choose(0)(3, 4) + (*operations[1])(5, 6) + unprototyped(1, 2.0); }

struct pair {
    long a, b;
};
struct large {
    long a[5];
};
long variable(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    long s = 0;
    for (int i = 0; i < n; i++) s += va_arg(list, int);
    s += (long)va_arg(again, double);
    s += va_arg(again, struct pair).b;
    s += va_arg(again, struct large).a[4];
    va_end(again);
    va_end(list);
    return s;
}
long pass(struct large l) {
    struct pair p = {1, 2};
    return variable(1, 2, 3.0, p, l) + printf("%d %s %f %c\n", 1, "two", 3.0, '4');
}
int vla(int n, int m, int a[n][m]) {
    int b[n + 1][m];
    memset(b, 0, sizeof b);
    for (int i = 0; i < n; i++) memcpy(b[i], a[i], sizeof a[i]);
    char *c = __builtin_alloca(n);
    c[0] = 1;
    return b[n - 1][m - 1] + c[0] + (int)sizeof(b);
}
static jmp_buf there;
__attribute__((noreturn)) static void leave(void) { longjmp(there, 1); }
int back(void) {
    if (setjmp(there)) return 1;
    leave();
}
int assembly(int x) {
    int y;
    __asm__ volatile("" ::: "memory");
    __asm__("mov %1, %0\n\tadd $1, %0" : "=r"(y) : "r"(x) : "cc");
    __asm__ volatile("mfence" ::: "memory");
    return y;
}
int logic(int a, int b, char *p) { return a && (b || !a) ? a ?: b : p && *p ? p[1] : ({ int t = a; t * 2; }); }
void loops(int n) {
    do {
        if (n == 7) continue;
        if (n == 9) goto out;
    } while (n--);
    for (;;)
        if (rand() == 1) break;
out:
    while (n) n /= 2;
    if (__builtin_expect(n, 0)) __builtin_unreachable();
    if (n == 3) __builtin_trap();
}
int main(int argc, char **argv) {
    int (*nested)[3] = malloc(sizeof(int[3]));
    (*nested)[argc] = atoi(argv[0]);
    free(nested);
    return pick(argc) + apply(0);
}
