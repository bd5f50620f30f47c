// about: right uses of compound literals, and of variables that a jump goes past, in every kind of statement: none of them
// about: is over too early
// from: by hand: each use stands inside of the block around the literal (a statement that `if` governs is a block of its own,
// from: one that `case` labels is not); gcc gives the asserted values, too. One thread runs beside main at a time, so there is
// from: one execution
// run: | sc tso pso ra rc11 rc20 | verdict=verified executions=1
// run: | sc rc20 --equivalence co | verdict=verified executions=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct s { int a, b; };
static int get(struct s *p) {
  return p->a + p->b;
}

static void *rd(void *p) {
  return (void *)(long)get(p);
}

static int run(struct s *p) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, rd, p);
  pthread_join(t, &r);
  return (int)(long)r;
}

static inline __attribute__((always_inline)) int inl(int x) {
  struct s *p = &(struct s){x, 1};
  {
    struct s *q = &(struct s){x, 2};
    p = q->a ? p : q;
    return run(p) + run(q);
  }
}

static int cond(int n) {
  int r = 0;
  while (run(&(struct s){n, -1}) > 0) {
    struct s *p = &(struct s){n, n};
    r += run(p);
    n--;
    if (n == 2) continue;
    r += p->a;
  }
  do {
    struct s *p = &(struct s){1, n};
    if (run(p) == 7) break;
    n++;
  }  while (n < 2 && run(&(struct s){n, 0}) >= 0);
  return r;
}

static int forinit(void) {
  int r = 0;
  for (struct s *p = &(struct s){0, 3}; p->a < 2; p->a++) {
    r += run(p);
    for (int *q = (int[]){1, 2, 0}; *q; q++) r += *q;
  }
  return r;
}

static int sw(int n) {
  struct s *p = 0;
  int r = 0;
  switch (n) {
    case 0: p = &(struct s){1, 1};
    case 1:;
    struct s *o = &(struct s){2, 2};
    if (!p) p = o;
    r += run(p);
    case 2: {
      struct s *q = &(struct s){5, 5};
      r += run(q);
      if (p) r += p->a;
      break;
    }
    default: return run(&(struct s){9, 9});
  }
  return r;
}

static int jump(int n) {
  void *tab[] = {&&one, &&two, &&end};
  int r = 0;
  {
    struct s *p = &(struct s){1, 2};
    again:
    goto *tab[n];
    one:
    r += run(p);
    n = 1;
    goto again;
    two:;
    struct s v = {3, 4};
    r += run(&v);
    n = 2;
    goto again;
    end:
    r += p->a;
  }
  return r;
}

static int rec(int d, struct s *up) {
  struct s *p;
  if (d == 0) return run(up);
  if (d) {
    p = &(struct s){d, up ? up->a : 0};
    return rec(d - 1, p) + p->b;
  }
  return 0;
}

static int tern(int c) {
  struct s *p = c ? &(struct s){1, 2} : &(struct s){3, 4};
  {
    struct s *q = c ? p : &(struct s){5, 6};
    return run(p) + run(q);
  }
}

static struct s ret(int c) {
  if (c) {
    return (struct s){c, c};
  }
  struct s *p = &(struct s){7, 7};
  return *p;
}

static int vla(int n) {
  int r = 0;
  for (int i = 1; i < n; i++) {
    int v[i];
    struct s *p = &(struct s){i, i};
    memset(v, 0, sizeof v);
    r += run(p) + v[i - 1];
  }
  return r;
}

static int stmt(void) {
  return run(({ struct s *p = &(struct s){1, 1}; p->a++; static struct s k; k = *p; &k; })) + ({ int *a = (int[]){3}; *a; });
}

static int early(int n) {
  for (int i = 0; i < 3; i++) {
    struct s *p = &(struct s){i, n};
    if (i == n) return run(p);
    for (;;) {
      int *q = &(int){i};
      if (*q == i) break;
    }
  }
  return -1;
}

static int lab(int n) {
  int r = 0;
  for (int i = 0; i < 2; i++) {
    l:;
    struct s v = {i, n};
    struct s *p = &v;
    if (n-- > 0) goto l;
    r += run(p);
    {
      struct s w = {1, 1};
      p = &w;
      r += run(p);
    }
  }
  return r;
}

static int args(struct s *a, struct s *b) {
  return a == b ? -1 : get(a) + get(b);
}

int main(void) {
  assert(inl(1) == 2 + 3);
  assert(cond(2) >= 0);
  assert(forinit() == 3 + 4 + 6);
  assert(sw(0) == 2 + 10 + 1 && sw(1) == 4 + 10 + 2 && sw(2) == 10 && sw(3) == 18);
  assert(jump(0) == 3 + 7 + 1 && jump(1) == 8);
  assert(rec(2, 0) >= 0);
  assert(tern(0) == 7 + 11 && tern(1) == 6);
  assert(ret(1).a == 1 && ret(0).b == 7);
  assert(vla(3) == 2 + 4);
  assert(stmt() == 3 + 3);
  assert(early(1) == 2);
  assert(lab(1) >= 0);
  assert(args(&(struct s){1, 1}, &(struct s){1, 1}) == 4);
  if (1) {
    int r = 0;
    for (int i = 0; i < 2; i++) if (i) r += run(&(struct s){i, i});
    else r += get(&(struct s){i, 5});
    assert(r == 7);
  }
  return 0;
}
