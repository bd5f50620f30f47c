// Bit-fields, unions, packed and nested structs, flexible arrays, tables that are initialised statically.
#include <stddef.h>
#include <stdint.h>

struct bits {
    unsigned a : 3;
    int b : 17;
    unsigned : 0;
    unsigned long long c : 41;
};
struct __attribute__((packed)) tight {
    char c;
    int i;
    struct bits b;
};
union number {
    int i;
    float f;
    double d;
    unsigned char bytes[8];
};
struct node {
    struct node *next;
    union number value;
    struct {
        short x, y;
    } at[2];
};
struct flexible {
    int count;
    int items[];
};
struct opaque;

enum colour { RED, GREEN = 7, BLUE };

struct bits some_bits = {5, -3, 1ull << 40};
struct tight tight = {'x', 1, {1, 2, 3}};
union number as_float = {.f = 0.1f};
union number as_bytes = {.bytes = {1, 2, 3}};
struct node last = {0, {.d = 1.5}, {{1, 2}, {3, 4}}};
struct node first = {&last, {.i = 3}, {[1] = {.y = 9}}};
struct node *const table[] = {&first, &last, &first + 0, 0};
short *into = &last.at[1].y;
char text[] = "quote \" backslash \\ null \0 end";
const char *strings[2] = {"one", "one"};
const wchar_t wide[] = L"wide";
long difference = offsetof(struct node, at);
int holes[100] = {[3] = 1, [98] = 2};
struct flexible two = {2, {1, 2}};
extern struct opaque *unknown;
extern int elsewhere __attribute__((weak));
int tentative;
static volatile int quiet;
__attribute__((section("special"), aligned(64))) int placed = 1;
uintptr_t address = (uintptr_t)&placed;
extern int other_name __attribute__((alias("placed")));

int bits(struct bits *b, int n) {
    b->a = n;
    b->b += b->a;
    b->c ^= 1;
    return b->b;
}
double pun(unsigned char *raw) {
    union number n;
    for (int i = 0; i < 8; i++) n.bytes[i] = raw[i];
    return n.d;
}
struct tight copy(struct tight t) {
    struct tight u = t;
    u.i++;
    return u;
}
int sum(struct flexible *f) {
    int s = 0;
    for (int i = 0; i < f->count; i++) s += f->items[i];
    return s + (&elsewhere ? elsewhere : 0) + quiet + (unknown != 0);
}
struct node literal(enum colour c) { return (struct node){.value = {.i = c}, .at = {{BLUE}}}; }
