// run: | sc rc20 | executions=1 verdict=verified
// about: numbers of all kinds: 128 bits, bit-fields, long double, vectors
#include <assert.h>
#include <stdint.h>

struct packed {
  unsigned a : 3;
  int b : 17;
  unsigned long long c : 60;
  unsigned d : 30;
  signed e : 31;
} __attribute__((packed));

typedef int four __attribute__((vector_size(16)));
struct pair {
  float x, y;
};

static struct pair turn(struct pair p) { return (struct pair){-p.y, p.x}; }

int main(void) {
  unsigned __int128 wide = (unsigned __int128)0x123456789abcdefull << 64 | 42;
  wide = wide * 1000003 + 1;
  assert((uint64_t)(wide >> 64) == 0x123456789abcdefull * 1000003ull);
  assert(wide % 7 == (wide - wide / 7 * 7));
  __int128 negative = -(__int128)5;
  assert(negative / 2 == -2 && negative < 0 && negative >> 100 == -1);

  struct packed p;
  p.a = 5;
  p.b = -3;
  p.c = 0xfffffffffffffffull;
  p.d = 12345;
  p.e = -1;
  p.c += 2;
  assert(p.a == 5 && p.b == -3 && p.c == 1 && p.d == 12345 && p.e == -1);

  long double third = 1.0L / 3;
  assert(third * 3 == 1.0L && third != (double)third);
  assert((long)(third * 300) == 100 || (long)(third * 300) == 99);

  four v = {1, 2, 3, 4}, w = v * v + 1;
  assert(w[3] == 17 && (v > 2)[0] == 0 && (v > 2)[3] == -1);

  struct pair t = turn((struct pair){1.5f, 2.25f});
  assert(t.x == -2.25f && t.y == 1.5f);
  return 0;
}
