// Integers of all widths, floating-point numbers, complex numbers, vectors, overflow.
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

float floats[] = {0.1f, 1.0f, -0.0f, FLT_MAX, FLT_MIN, 1e-45f, __builtin_inff(), __builtin_nanf("")};
double doubles[] = {0.1, 1.0, -0.0, DBL_MAX, 5e-324, __builtin_inf(), __builtin_nan("0x123"), __builtin_nans("")};
long double longs[] = {0.1L, 1.0L, -2.5L, LDBL_MAX};
double _Complex z = 1.0 + 2.0 * I;
float _Complex zf[2] = {1.5f, 2.0f * I};
long long extremes[] = {LLONG_MIN, LLONG_MAX, -1};
unsigned __int128 huge = ((unsigned __int128)0x123456789abcdef0ull << 64) | 0xfedcba9876543210ull;
__int128 negative = -((__int128)1 << 100);
bool yes = true;
signed char least = -128;
typedef int vector __attribute__((vector_size(16)));
typedef float quad __attribute__((vector_size(16)));
vector ones = {1, 1, 1, 1};
vector mixed = {1, -2, 3, 4};

double arithmetic(double a, float b, long double c, int i, unsigned u) {
    a = a * b + c / 3 - i % 7;
    a += (double)u;
    b = -(float)a;
    c *= b;
    i = (int)c << 3 | i >> 2;
    u = (unsigned)a ^ u >> 1;
    if (a < b || a >= c || a != a) return fabs(a);
    return i / 3 + u % 5u + (uint8_t)i + (int16_t)u + (a == b) + !(a > b) + (double)(unsigned long long)a;
}
double _Complex multiply(double _Complex a, double _Complex b) { return a * b / (a + conj(b)); }
__int128 wide(__int128 a, unsigned __int128 b) { return a * 3 + (__int128)(b >> 70) - (a < 0); }
vector vectors(vector a, vector b) {
    vector c = a + b * mixed;
    c[2] = a[1];
    c = __builtin_shufflevector(c, ones, 0, 5, 2, 7);
    return c & (a < b);
}
quad halves(quad a, float b) { return a * b + a / 2.0f; }
int overflow(int a, int b, long c) {
    int r;
    long l;
    unsigned char s;
    bool o = __builtin_add_overflow(a, b, &r) | __builtin_mul_overflow(c, 3L, &l) | __builtin_sub_overflow(a, b, &s);
    return o + r + (int)l + s;
}
int counts(unsigned x, unsigned long long y) {
    return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzll(y) + (int)__builtin_bswap32(x) +
           __builtin_parity(x) + (x << 5 | x >> 27) + (x > 3 ? 3 : x);
}
bool booleans(bool a, bool b, int c) { return (a ^ b) | (c != 0) | (bool)0.5; }
double library(double x) { return sqrt(x) + floor(x) + fma(x, x, 1.0) + copysign(x, -1.0) + pow(x, 2); }
