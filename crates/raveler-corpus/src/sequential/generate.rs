//! Sequential C programs without undefined behaviour, each a mixture of small parts: what csmith does not write.
//!
//! Every part is a function of its own that prints what it computes, so that a difference shows where it is.

use super::expressions::{Kind, expression, literal};
use super::random::Random;

/// What can be in a program: its functions and variables, given a number for its names.
type Part = fn(&mut Random, u64) -> String;

const PARTS: [Part; 14] = [
    arithmetic,
    floats,
    formats,
    strings,
    switches,
    gotos,
    computed_goto,
    variadic,
    structures,
    bit_fields,
    wide_integers,
    function_pointers,
    sorting,
    punning,
];

const HEAD: &str = "\
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long hash = 1469598103934665603ull;
static void mix(unsigned long long v) { hash = (hash ^ v) * 1099511628211ull; }
";

/// The program with this seed.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = HEAD.to_string();
    let count = 3 + random.below(4);
    for number in 0..count {
        let part = PARTS[random.below(PARTS.len() as u64) as usize];
        text.push_str(&part(&mut random, number));
    }
    text.push_str("int main(int argc, char **argv) {\n  mix(argc); mix(argv[argc] == NULL);\n");
    for number in 0..count {
        text.push_str(&format!("  part{number}();\n  printf(\"part {number}: %llx\\n\", hash);\n"));
    }
    text.push_str("  return (int)(hash % 100);\n}\n");
    text
}

/// A function of this number with this body.
fn part(number: u64, body: &str) -> String {
    format!("static void part{number}(void) {{\n{body}}}\n")
}

fn arithmetic(random: &mut Random, number: u64) -> String {
    let mut body = String::new();
    for i in 0..4 {
        let kind = random.pick(&[
            &Kind::I8,
            &Kind::U8,
            &Kind::I16,
            &Kind::U16,
            &Kind::I32,
            &Kind::U32,
            &Kind::I64,
            &Kind::U64,
        ]);
        let init = literal(random, *kind);
        body.push_str(&format!("  {} v{i} = {init};\n", kind.name()));
    }
    for _ in 0..6 {
        let value = expression(random, 4, &["v0", "v1", "v2", "v3"]);
        let target = random.below(4);
        body.push_str(&format!("  v{target} = {value};\n  mix(v{target});\n"));
    }
    let bound = 3 + random.below(9);
    let step = expression(random, 3, &["v0", "v1", "(unsigned)i"]);
    body.push_str(&format!(
        "  for (int i = 0; i < {bound}; i++) {{ v0 ^= {step}; if (v0 % 7 == 3) continue; v1++; }}\n"
    ));
    body.push_str(
        "  printf(\"%d %u %ld %llx\\n\", (int)v0, (unsigned)v1, (long)v2, (unsigned long long)v3);\n",
    );
    part(number, &body)
}

fn floats(random: &mut Random, number: u64) -> String {
    let ty = random.pick(&["double", "float", "long double"]);
    let format = if ty == "long double" { "L" } else { "" };
    let mut body = format!("  {ty} x = {}, y = {};\n", float(random), float(random));
    for _ in 0..5 {
        let step = random.pick(&[
            "x = x * y + 1",
            "y = y - x / 3",
            "x = x < y ? y : -x",
            "y = y / (x * x + 1)",
            "x = (int)(y / 1e9) + x",
            "y = x - (long)(x / 1e6)",
            "x += 0.1f",
            "y *= 1.5",
            "x = -x",
        ]);
        body.push_str(&format!("  {step};\n  printf(\"%.17{format}g %.3{format}f\\n\", x, y);\n"));
        body.push_str("  if (!(x > -1e15 && x < 1e15)) x = 1;\n  if (!(y > -1e15 && y < 1e15)) y = 2;\n");
    }
    let suffix = match ty {
        "float" => "f",
        "double" => "",
        _ => "l",
    };
    let function = random.pick(&["floor", "ceil", "fabs", "trunc", "round", "rint", "sqrt"]);
    body.push_str(&format!(
        "  printf(\"%{format}g %{format}e\\n\", {function}{suffix}(x < 0 ? -x : x), y);\n"
    ));
    body.push_str("  printf(\"%d%d%d%d\\n\", x < y, x == y, x != x, x >= 0);\n");
    if ty == "double" {
        let function = random.pick(&["sin", "cos", "exp", "log", "atan", "cbrt", "tanh"]);
        body.push_str(&format!("  printf(\"%.12g\\n\", {function}(fabs(fmod(y, 7)) + 0.5));\n"));
        body.push_str("  printf(\"%d %d\\n\", isnan(x) != 0, signbit(y) != 0);\n");
    }
    part(number, &body)
}

fn float(random: &mut Random) -> String {
    let sign = random.pick(&["", "-"]);
    format!("{sign}{}.{}e{}", random.below(1000), random.below(100_000), random.below(9) as i64 - 4)
}

fn formats(random: &mut Random, number: u64) -> String {
    let mut body = "  char text[64];\n".to_string();
    for _ in 0..6 {
        let flags = random.pick(&["", "-", "0", "+", " ", "#", "-#", "+0"]);
        let width = random.pick(&["", "1", "5", "12", "20"]);
        let precision = random.pick(&["", ".0", ".1", ".3", ".10"]);
        let (letters, value) = match random.below(6) {
            0 => (random.pick(&["d", "i", "hhd", "hd"]), literal(random, Kind::I32)),
            1 => (random.pick(&["u", "x", "X", "o"]), literal(random, Kind::U32)),
            2 => (random.pick(&["ld", "lld", "zd", "jd"]), literal(random, Kind::I64)),
            3 => (random.pick(&["lx", "llo", "lu", "zX"]), literal(random, Kind::U64)),
            4 => (random.pick(&["f", "e", "g", "E", "G", "a"]), float(random)),
            _ => (random.pick(&["s"]), "\"some text\"".into()),
        };
        let plain = letters == "s" && (flags.contains('0') || flags.contains('#') || flags.contains('+'));
        let flags = if plain { "-" } else { flags };
        body.push_str(&format!("  printf(\"[%{flags}{width}{precision}{letters}]\\n\", {value});\n"));
    }
    let (size, width) = (1 + random.below(30), random.below(12));
    body.push_str(&format!(
        "  int n = snprintf(text, {size}, \"%*d|%-*s|%c|%%|%.2f\", {width}, (int)hash, 9, \"ab\", 'x', {});\n",
        float(random)
    ));
    body.push_str("  printf(\"%d %s\\n\", n, text);\n  mix(n);\n  puts(text);\n  putchar('\\n');\n");
    part(number, &body)
}

fn strings(random: &mut Random, number: u64) -> String {
    let mut body = "  char a[40] = \"alpha\", b[40] = \"beta,gamma;delta\", c[80];\n".to_string();
    for _ in 0..7 {
        body.push_str(random.pick(&[
            "  strcpy(c, a); strcat(c, b); mix(strlen(c)); puts(c);\n",
            "  memset(c, 'z', sizeof c); strncpy(c, b, 7); c[20] = 0; puts(c);\n",
            "  mix(strcmp(a, b) < 0); mix(strncmp(a, \"alpine\", 3) == 0); mix(memcmp(a, b, 3) > 0);\n",
            "  printf(\"%s %s\\n\", strchr(b, 'g'), strrchr(b, 'a'));\n",
            "  printf(\"%s %d\\n\", strstr(b, \"gam\"), strstr(b, \"none\") == NULL);\n",
            "  for (char *p = b; *p; p++) *p = toupper(*p); puts(b);\n",
            "  memmove(b + 2, b, 8); puts(b);\n",
            "  printf(\"%ld %d %lu\\n\", strtol(\"-12x\", NULL, 10), atoi(\" 42\"), strtoul(\"ff\", NULL, 16));\n",
            "  printf(\"%zu %zu\\n\", strspn(b, \"abet\"), strcspn(b, \",;\"));\n",
            "  strcpy(c, b); for (char *t = strtok(c, \",;\"); t; t = strtok(NULL, \",;\")) puts(t);\n",
            "  for (int i = 0; a[i]; i++) mix(isalpha(a[i]) ? a[i] : isdigit(a[i]) != 0);\n",
            "  char *d = strdup(a); d[0] ^= 1; puts(d); free(d);\n",
            "  printf(\"%s\\n\", (char *)memchr(b, 'd', 16) ? \"found\" : \"not found\");\n",
            "  printf(\"%.3f\\n\", atof(\"3.25\") + strtod(\"1e2z\", NULL));\n",
        ]));
    }
    part(number, &body)
}

fn switches(random: &mut Random, number: u64) -> String {
    let ty = random.pick(&["int", "unsigned char", "long long", "short", "unsigned long"]);
    let mut cases = String::new();
    let mut used = Vec::new();
    for _ in 0..6 {
        let label = random.below(40);
        if used.contains(&label) {
            continue;
        }
        used.push(label);
        let end = random.pick(&["break;", "", "return k * 3;", "k++; break;"]);
        cases.push_str(&format!("    case {label}: k += {}; {end}\n", random.below(1000)));
    }
    let (low, high) = (50 + random.below(5), 60 + random.below(5));
    cases.push_str(&format!("    case {low} ... {high}: k -= 7; break;\n    default: k ^= 5;\n"));
    let helper = format!(
        "static int choose{number}({ty} v) {{\n  int k = 1;\n  switch (v) {{\n{cases}  }}\n  return k;\n}}\n"
    );
    helper + &part(number, &format!("  for (int i = 0; i < 70; i++) mix(choose{number}(i));\n"))
}

fn gotos(random: &mut Random, number: u64) -> String {
    let (a, b) = (2 + random.below(5), 3 + random.below(20));
    let value = expression(random, 3, &["n", "(unsigned)k"]);
    let body = format!(
        "  int n = 0, k = {a};\nagain:\n  n += k;\n  if (n > {b}) goto out;\n  if (n % 3 == 1) {{ k++; goto again; }}\n  \
         do {{ n++; if (n == 17) break; }} while (n & 3);\n  goto again;\nout:\n  mix(n); mix({value});\n"
    );
    part(number, &body)
}

fn computed_goto(random: &mut Random, number: u64) -> String {
    let program: Vec<String> = (0..8).map(|_| random.below(3).to_string()).collect();
    let body = format!(
        "  static void *const labels[] = {{&&add, &&twice, &&flip, &&stop}};\n  \
         unsigned char code[] = {{{}, 3}};\n  int at = 0; unsigned long v = {};\n  goto *labels[code[at++]];\n\
         add: v += 3; goto *labels[code[at++]];\ntwice: v *= 2; goto *labels[code[at++]];\n\
         flip: v = ~v; goto *labels[code[at++]];\nstop: mix(v); printf(\"%lu\\n\", v);\n",
        program.join(", "),
        random.below(1000)
    );
    part(number, &body)
}

fn variadic(random: &mut Random, number: u64) -> String {
    let mut calls = String::new();
    for _ in 0..3 {
        let mut kinds = String::new();
        let mut values = String::new();
        for _ in 0..random.below(9) {
            let (kind, value) = match random.below(5) {
                0 => ('i', literal(random, Kind::I32)),
                1 => ('l', literal(random, Kind::I64)),
                2 => ('d', float(random)),
                3 => ('s', "\"word\"".into()),
                _ => {
                    ('p', format!("(struct pair{number}){{{}, {}, 2.5}}", random.below(99), random.below(99)))
                }
            };
            kinds.push(kind);
            values.push_str(&format!(", {value}"));
        }
        calls.push_str(&format!("  sum{number}(\"{kinds}\"{values});\n"));
    }
    let helper = format!(
        "struct pair{number} {{ int a; long b; double c; }};\n\
         static void print{number}(const char *format, ...) {{\n  char text[100];\n  va_list list;\n  va_start(list, format);\n  \
         vsnprintf(text, sizeof text, format, list);\n  va_end(list);\n  puts(text);\n}}\n\
         static void sum{number}(const char *kinds, ...) {{\n  va_list list, copy;\n  va_start(list, kinds);\n  va_copy(copy, list);\n  \
         double total = 0;\n  for (const char *k = kinds; *k; k++)\n    switch (*k) {{\n    \
         case 'i': total += va_arg(list, int); break;\n    case 'l': total += va_arg(list, long long) % 1000; break;\n    \
         case 'd': total += va_arg(list, double); break;\n    case 's': total += strlen(va_arg(list, char *)); break;\n    \
         case 'p': {{ struct pair{number} p = va_arg(list, struct pair{number}); total += p.a + p.b + p.c; }} break;\n    }}\n  \
         va_end(list);\n  va_end(copy);\n  print{number}(\"%s %.6f %d\", kinds, total, (int)strlen(kinds));\n}}\n"
    );
    helper + &part(number, &calls)
}

fn structures(random: &mut Random, number: u64) -> String {
    let kinds = [Kind::I8, Kind::I16, Kind::I32, Kind::U64, Kind::U8];
    let members: Vec<&str> = (0..4).map(|_| kinds[random.below(5) as usize].name()).collect();
    let last = random.pick(&["float", "double", "char", "int", "long"]);
    let packed = random.pick(&["", " __attribute__((packed))"]);
    let helper = format!(
        "struct s{number} {{ {} a; {} b[2]; struct {{ {} c; {} d; }} in; {last} e; }}{packed};\n\
         static struct s{number} table{number}[3] = {{{{.b = {{1, 2}}, .in.c = 3}}, [2] = {{.e = 5}}}};\n\
         static struct s{number} change{number}(struct s{number} s, int k) {{ s.a += k; s.b[k & 1] ^= 9; s.in.d = k; s.e += 1; return s; }}\n\
         struct small{number} {{ char x; int y; }};\n\
         static struct small{number} swap{number}(struct small{number} s) {{ return (struct small{number}){{(char)s.y, s.x}}; }}\n\
         struct flo{number} {{ float x, y; }};\n\
         static struct flo{number} turn{number}(struct flo{number} f) {{ return (struct flo{number}){{-f.y, f.x}}; }}\n",
        members[0], members[1], members[2], members[3]
    );
    let body = format!(
        "  struct s{number} s = table{number}[{}], *p = &table{number}[1];\n  \
         for (int i = 0; i < 5; i++) {{ *p = change{number}(s, i); s = change{number}(*p, i + {}); table{number}[i % 3] = s; }}\n  \
         for (int i = 0; i < 3; i++) {{ struct s{number} *q = &table{number}[i]; mix(q->a); mix(q->b[0]); mix(q->b[1]); mix(q->in.c); mix(q->in.d); mix((long)q->e); }}\n  \
         mix(sizeof s); mix(offsetof(struct s{number}, in.d));\n  \
         struct small{number} t = swap{number}((struct small{number}){{5, 77}}); mix(t.x); mix(t.y);\n  \
         struct flo{number} f = turn{number}((struct flo{number}){{1.5f, 2.25f}}); printf(\"%g %g\\n\", f.x, f.y);\n",
        random.below(3),
        random.below(50)
    );
    helper + &part(number, &body)
}

fn bit_fields(random: &mut Random, number: u64) -> String {
    let width = |random: &mut Random| 1 + random.below(31);
    let (a, b, c, d) = (width(random), width(random), width(random), width(random));
    let packed = random.pick(&["", " __attribute__((packed))"]);
    let helper = format!(
        "struct bits{number} {{ unsigned a : {a}; int b : {b}; unsigned long long c : {c}; signed d : {d}; unsigned : 0; unsigned e : 5; }}{packed};\n"
    );
    let body = format!(
        "  struct bits{number} s;\n  s.a = {}; s.b = {}; s.c = {}; s.d = {}; s.e = 17;\n  \
         for (int i = 0; i < 4; i++) {{ s.a += s.c; s.b = s.d ^ i; s.c++; s.d = (int)s.a; s.e *= 3; }}\n  \
         mix(s.a); mix(s.b); mix(s.c); mix(s.d); mix(s.e); mix(sizeof s);\n",
        random.below(1 << 20),
        random.below(1 << 20),
        random.below(1 << 20),
        random.below(1 << 20)
    );
    helper + &part(number, &body)
}

fn wide_integers(random: &mut Random, number: u64) -> String {
    let mut body = format!(
        "  unsigned __int128 u = ((unsigned __int128){} << 64) | {};\n  __int128 s = -(__int128){};\n",
        literal(random, Kind::U64),
        literal(random, Kind::U64),
        literal(random, Kind::U32)
    );
    for _ in 0..6 {
        body.push_str(random.pick(&[
            "  u = u * 1000003u + 7;\n",
            "  s = s * 3 - (__int128)(u >> 70);\n",
            "  u ^= (unsigned __int128)s << (u & 63);\n",
            "  s = (__int128)(u % 1000000007u) - s / 5;\n",
            "  u = u / ((unsigned)hash | 1);\n",
            "  s >>= 3; if (s < 0) s = -s;\n",
            "  mix(s > (__int128)u); mix(u == 0);\n",
            "  mix((unsigned long long)((double)((s % 10000) * (s % 10000)) * 4));\n",
        ]));
    }
    body.push_str("  mix((unsigned long long)u); mix((unsigned long long)(u >> 64)); mix((unsigned long long)s); mix((unsigned long long)(s >> 64));\n");
    part(number, &body)
}

fn function_pointers(random: &mut Random, number: u64) -> String {
    let (f, g) = (expression(random, 3, &["a", "b"]), expression(random, 3, &["a", "b"]));
    let helper = format!(
        "typedef unsigned (*op{number})(unsigned, unsigned);\n\
         static unsigned f{number}(unsigned a, unsigned b) {{ return {f}; }}\n\
         static unsigned g{number}(unsigned a, unsigned b) {{ return {g}; }}\n\
         static unsigned apply{number}(op{number} op, unsigned n) {{ return n ? op(n, apply{number}(op, n - 1)) : 1; }}\n\
         static const op{number} ops{number}[] = {{f{number}, g{number}, f{number}}};\n"
    );
    let body = format!(
        "  static int calls; calls++;\n  for (int i = 0; i < 3; i++) mix(apply{number}(ops{number}[i], {}));\n  \
         op{number} p = calls > 1 ? NULL : g{number}; mix(p ? p(1, 2) : 0);\n",
        random.below(12)
    );
    helper + &part(number, &body)
}

fn sorting(random: &mut Random, number: u64) -> String {
    let values: Vec<String> =
        (0..7 + random.below(6)).map(|_| (random.below(2000) as i64 - 1000).to_string()).collect();
    let helper = format!(
        "static int less{number}(const void *a, const void *b) {{ int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }}\n"
    );
    let body = format!(
        "  int all[] = {{{}}}; size_t n = sizeof all / sizeof *all;\n  qsort(all, n, sizeof *all, less{number});\n  \
         for (size_t i = 0; i < n; i++) printf(\"%d \", all[i]);\n  int key = all[n / 2];\n  \
         int *found = bsearch(&key, all, n, sizeof *all, less{number}); printf(\"%d\\n\", found ? *found : -1);\n  \
         int *heap = malloc(n * sizeof *heap); memcpy(heap, all, n * sizeof *heap);\n  \
         int *more = malloc(2 * n * sizeof *heap); memcpy(more, heap, n * sizeof *heap); free(heap); heap = more; for (size_t i = 0; i < n; i++) heap[n + i] = heap[i] * 2;\n  \
         int vla[n]; for (size_t i = 0; i < n; i++) vla[i] = heap[2 * n - 1 - i]; mix(vla[0]); mix(vla[n - 1]);\n  \
         int *zero = calloc(n, sizeof *zero); mix(zero[n - 1]); free(zero); free(heap);\n",
        values.join(", ")
    );
    helper + &part(number, &body)
}

fn punning(random: &mut Random, number: u64) -> String {
    let body = format!(
        "  union {{ unsigned char bytes[8]; unsigned u; unsigned long long l; double d; short h[4]; }} v;\n  v.l = {};\n  \
         for (int i = 0; i < 8; i++) mix(v.bytes[i]);\n  v.h[1] = {}; mix(v.u); v.bytes[3] ^= 0x55; mix(v.l);\n  \
         v.d = {}; mix(v.l); float f = {}; unsigned bits; memcpy(&bits, &f, 4); mix(bits);\n  \
         unsigned char raw[12]; memset(raw, 1, 12); memcpy(raw + 3, &v, 8); int k; memcpy(&k, raw + 5, 4); mix(k);\n",
        literal(random, Kind::U64),
        random.below(30000),
        float(random),
        float(random)
    );
    part(number, &body)
}
