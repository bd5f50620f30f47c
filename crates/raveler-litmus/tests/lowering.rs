//! What threads compute: expressions, loops, arrays, pointers, expected words. One thread mostly, so that
//! each test has one final state.

mod support;

use raveler_core::{Entry, Operation, Order, Program, ViolationKind};
use support::run;

/// The one final state of a test.
fn state(text: &str) -> String {
    let found = run(text);
    assert_eq!(found.failures, [], "{text}");
    assert_eq!(found.states.len(), 1, "{:?}\n{text}", found.states);
    found.states[0].clone()
}

/// The value of an expression, assigned to a register of this type. `a` is 7, `b` is -2, `u` is 4294967295.
fn value(ty: &str, expression: &str) -> String {
    let text = format!(
        "C t\n{{ x=5; 0:a=7; 0:b=-2; unsigned 0:u=4294967295; }}\nP0 (int* x) {{ int a; int b; unsigned u; {ty} r = {expression}; }}\n\
         P1 (int* x) {{ int q = *x; }}\nlocations [0:r;]"
    );
    state(&text).trim_start_matches("0:r=").to_string()
}

#[test]
fn precedence_is_that_of_c() {
    assert_eq!(value("int", "1 + 2 * 3 - 4 / 2"), "5");
    assert_eq!(value("int", "1 | 2 ^ 3 & 4 == 4"), "3");
    assert_eq!(value("int", "1 << 2 + 1"), "8");
    assert_eq!(value("int", "a > 3 && b < 0 || 0"), "1");
    assert_eq!(value("int", "a - 1 - 2"), "4");
    assert_eq!(value("int", "a == 7 ? b ? 10 : 20 : 30"), "10");
    assert_eq!(value("int", "-a + ~b + !a + !0"), "-5");
    assert_eq!(value("int", "(a ^ a) + 1"), "1");
    assert_eq!(value("int", "a % 4 + b / 2 + a / b"), "-1");
    assert_eq!(value("int", "+a - -b"), "5");
    assert_eq!(value("int", "0x1F & 0xfu"), "15");
}

#[test]
fn types_are_those_of_c() {
    assert_eq!(value("char", "a * 100"), "-68");
    assert_eq!(value("unsigned char", "b"), "254");
    assert_eq!(value("int", "(char) 200 + 1"), "-55");
    assert_eq!(value("long", "(long) a * 1000000000000"), "7000000000000");
    assert_eq!(value("int", "u > b"), "1", "-2 becomes 4294967294, which is less than 4294967295");
    assert_eq!(value("int", "b > u"), "0");
    assert_eq!(value("long", "u + 1"), "0", "unsigned wraps at 32 bits");
    assert_eq!(value("long", "b >> 1"), "-1");
    assert_eq!(value("unsigned", "u >> 31"), "1");
    assert_eq!(value("bool", "a * 256"), "1");
    assert_eq!(value("uint64_t", "-1"), "18446744073709551615");
    assert_eq!(value("int", "(uint64_t) b > 3"), "1");
    assert_eq!(value("int", "b / (unsigned) 2"), "2147483647");
    assert_eq!(value("long", "1 ? b : u"), "4294967294");
}

#[test]
fn shared_loads_stand_inside_expressions() {
    assert_eq!(value("int", "*x + *x * 2"), "15");
    assert_eq!(value("int", "atomic_load(x) == 5 && *x < 6"), "1");
    assert_eq!(value("int", "a + (a = 1) + a"), "9");
    assert_eq!(value("int", "a++ + a"), "15");
    assert_eq!(value("int", "--a * 2"), "12");
    assert_eq!(value("int", "x[0]"), "5");
    assert_eq!(value("int", "*(x + 0)"), "5");
}

#[test]
fn loops() {
    let text = "C t
{ n=0; }
P0 (int* n) {
  int sum = 0, odd = 0, i;
  for (int k = 1; k <= 10; k++) { if (k % 2 == 0) continue; odd += k; }
  i = 0;
  while (1) { i = i + 1; if (i > 4) break; sum += i; }
  do { *n = *n + 1; } while (*n < 3);
  for (;;) { return; }
  sum = 99;
}
P1 (int* n) { }
locations [0:sum; 0:odd; 0:i; n;]";
    assert_eq!(state(text), "0:i=5 0:odd=25 0:sum=10 n=3");
}

#[test]
fn nested_loops_and_breaks() {
    let text = "C t\n{ }\nP0 () { int c = 0; for (int i = 0; i < 5; i++) { int j = 0; while (j < 5) { j++; \
                if (j == i) break; c++; } } }\nforall (0:c=11)";
    // i=0: 5 rounds; i=1..4: i-1 rounds before the break: 0+1+2+3.
    let found = run(text);
    assert_eq!(found.states, ["0:c=11"]);
    assert!(found.holds);
}

#[test]
fn an_endless_loop_without_memory_is_reported() {
    let found = run("C t\n{ }\nP0 () {\n  int i = 0;\n  while (i == 0) { }\n}\n");
    let message =
        "the loop at line 5 ran 1,000,000 steps and nothing that others write can end it".to_string();
    assert_eq!(found.failures, [(ViolationKind::Other, message)]);
}

#[test]
fn arrays_private_and_shared() {
    let text = |second: &str| {
        format!(
            "C t\n{{ int a[3] = {{1,2,3}}; }}\nP0 (int* a) {{ int i = 1; a[i] = a[0] + a[i + 1]; *(a + 2) = 9; \
             a[0] += 5; int r = a[i]; }}\n{second}locations [a; 0:r; a[1];]"
        )
    };
    assert_eq!(state(&text("")), "0:r=4 a={6,4,9} a[1]=4");
    assert_eq!(state(&text("P1 (int* a) { int i = 0; }\n")), "0:r=4 a={6,4,9} a[1]=4");
    let shared = text("P1 (int* a) { int q = a[2]; }\n");
    assert_eq!(run(&shared).states, ["0:r=4 a={6,4,9} a[1]=4"]);
    assert!(support::parse(&text("")).program.objects().is_empty());
    assert_eq!(support::parse(&shared).program.objects()[0].size, 12);
}

#[test]
fn indices_are_checked_when_they_run() {
    for second in ["", "P1 (int* a) { int q = a[0]; }\n"] {
        let text = format!("C t\n{{ int a[2]; }}\nP0 (int* a) {{ int i = 2; int r = a[i]; }}\n{second}");
        assert_eq!(run(&text).failures[0].0, ViolationKind::OutOfBounds, "{text}");
    }
}

#[test]
fn pointers_print_as_names() {
    let text = "C t
{ int x = 1; int y = 2; int *p = &x; q = y; int a[2] = {7, 8}; }
P0 (int** p, int** q, int* y, int* a) {
  int *r0 = *p;
  int r1 = *r0;
  *p = y;
  int r2 = **p;
  **q = 5;
  *q = a + 1;
  int *r3 = *q;
  int r4 = *r3;
  int *r5 = &a[1];
  int r6 = r5 - a;
  int *r7 = 0;
}
locations [p; q; x; y; 0:r0; 0:r1; 0:r2; 0:r3; 0:r4; 0:r6; 0:r7;]
forall (p=y /\\ 0:r0=&x /\\ q=&a[1] /\\ 0:r5=0:r3 /\\ 0:r7=0)";
    let found = run(text);
    let expected = "0:r0=x 0:r1=1 0:r2=2 0:r3=a[1] 0:r4=8 0:r5=a[1] 0:r6=1 0:r7=0 p=y q=a[1] x=1 y=5";
    assert_eq!((found.states, found.failures), (vec![expected.to_string()], vec![]));
    assert!(found.holds);
}

#[test]
fn bad_pointers_are_reported_when_they_are_used() {
    let kind = |body: &str| run(&format!("C t\n{{ x=1; }}\nP0 (int* x) {{ {body} }}\n")).failures[0].0;
    assert_eq!(kind("int *p = 0; int r = *p;"), ViolationKind::NullDereference);
    assert_eq!(kind("int *p = x + 1; *p = 1;"), ViolationKind::OutOfBounds);
    assert_eq!(kind("char *p = (char*) x; *p = 1;"), ViolationKind::Other);
    assert_eq!(kind("int r = 0; r = 1 / r;"), ViolationKind::DivisionByZero);
    assert_eq!(kind("int r = 64; r = 1 << r;"), ViolationKind::Arithmetic);
}

#[test]
fn expected_words_of_compare_exchange() {
    let text = |word: &str, argument: &str, extra: &str| {
        format!(
            "C t\n{{ x=3; e=3; f=1; }}\nP0 (atomic_int* x, int* e, int* f) {{ {word} \
             int r0 = atomic_compare_exchange_strong(x, {argument}, 4); \
             int r1 = atomic_compare_exchange_weak_explicit(x, f, 9, acq_rel, relaxed); }}\n\
             P1 (atomic_int* x, int* f) {{ {extra} }}\nlocations [0:r0; 0:r1; x; e; f;]"
        )
    };
    assert_eq!(state(&text("", "e", "")), "0:r0=1 0:r1=0 e=3 f=4 x=4");
    assert_eq!(state(&text("int w = 3;", "&w", "")), "0:r0=1 0:r1=0 e=3 f=4 x=4");
    // A word that another thread reads is shared memory, and behaves the same.
    let shared = text("", "e", "int q = *f;");
    assert_eq!(run(&shared).states, ["0:r0=1 0:r1=0 e=3 f=4 x=4"]);
    let names = |text: &str| {
        support::parse(text).program.objects().iter().map(|o| o.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&text("", "e", "")), ["x"]);
    assert_eq!(names(&shared), ["x", "f"]);
}

#[test]
fn a_failed_compare_exchange_leaves_the_value_in_the_register() {
    let text = "C t\n{ x=3; }\nP0 (atomic_int* x) { int e = 1; int r = 0; \
                while (!atomic_compare_exchange_strong(x, &e, 8)) r++; }\nlocations [0:e; 0:r; x;]";
    assert_eq!(state(text), "0:e=3 0:r=1 x=8");
}

#[test]
fn widths_of_locations() {
    let text = "C t\n{ uint8_t b = 255; short s; long l = 5000000000; }\n\
                P0 (atomic_uchar* b, short* s, long* l) { int r0 = atomic_fetch_add(b, 2); int r1 = *b; \
                *s = *b - 2; long r2 = *l + 1; *l = r2 * 2; }\nP1 (short* s, long* l) { short q = *s; long k = *l; }\n\
                locations [0:r0; 0:r1; 0:r2; s; l; b;]";
    let found = run(text);
    assert_eq!(found.failures, []);
    assert_eq!(found.states, ["0:r0=255 0:r1=1 0:r2=5000000001 b=1 l=10000000002 s=-1"]);
}

#[test]
fn every_operation_has_its_order() {
    let text = "C t
{ }
P0 (atomic_int* x, volatile int* y) {
  int r = atomic_load_explicit(x, memory_order_consume);
  atomic_store_explicit(x, 1, release);
  atomic_store(x, 1);
  *y = 1;
  atomic_init(x, 2);
  atomic_fetch_or_explicit(x, 1, memory_order_acq_rel);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  r = atomic_exchange_explicit(x, 3, memory_order_relaxed);
}
P1 (atomic_int* x, int* y) { int r0 = *x; int r1 = *y; }
";
    let test = support::parse(text);
    let mut cursor = test.program.start(Entry::Initial(0));
    let mut orders = Vec::new();
    loop {
        let action = test.program.step(&mut cursor, raveler_core::Answer::NONE);
        orders.push(match action.operation {
            Operation::Read { order, .. }
            | Operation::Write { order, .. }
            | Operation::Update { order, .. } => order,
            Operation::Fence(order) => order,
            _ => break,
        });
        let sources = test.program.sources();
        let site = sources.site(action.site).expect("each access has a place");
        assert_eq!(site.function, "P0");
        assert!(text.lines().nth(site.line as usize - 1).expect("a line").contains(&site.text));
    }
    use Order::*;
    assert_eq!(orders, [Acquire, Release, SeqCst, Plain, Plain, AcqRel, SeqCst, Relaxed]);
}

#[test]
fn assertions_and_assumptions() {
    let body =
        |body: &str| run(&format!("C t\n{{ x=1; }}\nP0 (int* x) {{ int r = *x; {body} }}\nforall (0:r=1)"));
    let found = body("assert(r == 1 && r < 2);");
    assert_eq!((found.failures.len(), found.states.len()), (0, 1));
    let found = body("assert(r ==  2);");
    assert_eq!(found.failures, [(ViolationKind::Assertion, "assert(r == 2)".to_string())]);
    assert!(found.states.is_empty() && found.holds);
    let found = body("__VERIFIER_assume(r); rv_assume(r > 1);");
    assert_eq!((found.states.len(), found.blocked), (0, 1));
}

#[test]
fn private_accesses_are_no_events_but_fences_stay() {
    let count = |body: &str| {
        let test = support::parse(&format!("C t\n{{ }}\nP0 (atomic_int* x, atomic_int* y) {{ {body} }}\n"));
        let mut cursor = test.program.start(Entry::Initial(0));
        (0..)
            .take_while(|_| {
                test.program.step(&mut cursor, raveler_core::Answer::NONE).operation != Operation::Done
            })
            .count()
    };
    assert_eq!(count("*x = 1; atomic_store_explicit(x, 2, relaxed); int r = atomic_load(x);"), 0);
    assert_eq!(count("int r = atomic_fetch_add(x, 1);"), 1, "an update is a fence in some models");
    assert_eq!(count("atomic_store(x, 1); *y = 1;"), 1, "so is a seq_cst store");
    assert_eq!(count("int *p = x; *p = 1; *y = 1;"), 1, "an address that is kept may go anywhere");
}

#[test]
fn conditions() {
    let holds = |condition: &str| {
        let text = format!(
            "C t\n{{ x=0; z=4; }}\nP0 (int* x) {{ *x = 1; int r0 = 1; }}\nP1 (int* x) {{ int r0 = *x; int *r1 = x; }}\n{condition}"
        );
        run(&text).holds
    };
    assert!(holds("exists (1:r0=1)") && holds("exists (1:r0=0)") && !holds("forall (1:r0=1)"));
    assert!(holds("~exists (1:r0=2)") && !holds("~exists 1:r0=1"));
    assert!(holds("forall (1:r0=1 \\/ 1:r0=0 /\\ x=1)"));
    assert!(holds("forall (1:r0=1 => [x]=1)") && holds("forall (not (1:r0=2))"));
    assert!(holds("forall (x=0:r0 /\\ 0:r0=[x] /\\ z!=x /\\ 1:r1=x /\\ 1:r1=&x)"));
    assert!(holds("filter (1:r0=1) forall (1:r0=1)"));
    assert!(holds("locations [x;] exists (true)") && !holds("exists (false)") && holds(""));
    assert!(!holds("forall (x=1 /\\ ~(1:r0=1))"));
}

#[test]
fn conditions_are_printed_in_one_way() {
    let printed = |condition: &str| {
        let text = format!("C t\n{{ p=x; }}\nP0 (int* x, int** p) {{ int r0=*x; }}\n{condition}");
        support::parse(&text).condition.to_string()
    };
    assert_eq!(printed("exists(0:r0=1/\\x=2)"), "exists (0:r0=1 /\\ [x]=2)");
    assert_eq!(printed("~ exists (x=1 \\/ (x=2 /\\ ~(x!=3)))"), "~exists ([x]=1 \\/ ([x]=2 /\\ ~([x]!=3)))");
    assert_eq!(printed("forall (p=x => 0:r0=[x])"), "forall ([p]=&x => 0:r0=[x])");
    assert_eq!(printed(""), "forall (true)");
}

#[test]
fn filters_hide_states_and_their_names() {
    let text = "C t\n{ }\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; int r1 = *x; }\n\
                locations [1:r0;]\nfilter (1:r1=1)\nexists (1:r0=0)";
    assert_eq!(run(text).states, ["1:r0=0", "1:r0=1"]);
    assert_eq!(run(&text.replace("1:r1=1", "1:r1=0")).states, ["1:r0=0"]);
}

#[test]
fn registers_with_initial_values() {
    let text = "C t\n{ 0:r1=5; 0:r2=x; x=3; 0:w=y; y=8; }\nP0 (int* w) { int r1; int r3 = r1 + *r2 + *w; }\n\
                P1 () { int r1 = 1; }\nlocations [0:r1; 0:r2; 0:r3; 1:r1;]";
    assert_eq!(state(text), "0:r1=5 0:r2=x 0:r3=16 1:r1=1");
}

#[test]
fn a_register_in_two_blocks_is_one_register() {
    let text = "C t\n{ x=1; }\nP0 (int* x) { if (*x) { int r = 3; } else { int r = 4; } }\nforall (0:r=3)";
    assert_eq!(state(text), "0:r=3");
}

#[test]
fn many_registers() {
    let declarations: String = (0..40).map(|i| format!("int r{i} = {i}; ")).collect();
    let sum: Vec<String> = (0..40).map(|i| format!("r{i}")).collect();
    let text = format!("C t\n{{ }}\nP0 () {{ {declarations} int s = {}; }}\nforall (0:s=780)", sum.join("+"));
    assert_eq!(state(&text), "0:s=780");
}

/// A random expression over `a`=7, `b`=-2, `*x`=5 and an array `v`={3,4}, with its value.
fn random_expression(random: &mut u64, depth: u32) -> (String, i64) {
    let mut below = |n: u64| {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (*random >> 20) % n
    };
    if depth == 0 || below(8) == 0 {
        return match below(6) {
            0 => ("a".to_string(), 7),
            1 => ("b".to_string(), -2),
            2 => ("*x".to_string(), 5),
            3 => ("v[a & 1]".to_string(), 4),
            4 => ("v[0]".to_string(), 3),
            _ => {
                let number = below(20) as i64;
                (number.to_string(), number)
            }
        };
    }
    let choice = below(17);
    let (left, l) = random_expression(random, depth - 1);
    if choice < 3 {
        return match choice {
            0 => (format!("(-{left})"), l.wrapping_neg()),
            1 => (format!("(~{left})"), !l),
            _ => (format!("(!{left})"), (l == 0) as i64),
        };
    }
    let (right, r) = random_expression(random, depth - 1);
    if choice == 3 {
        let (third, t) = random_expression(random, depth - 1);
        return (format!("({left} ? {right} : {third})"), if l != 0 { r } else { t });
    }
    let (operator, value) = match choice {
        4 => ("+", l.wrapping_add(r)),
        5 => ("-", l.wrapping_sub(r)),
        6 => ("*", l.wrapping_mul(r)),
        7 => ("&", l & r),
        8 => ("|", l | r),
        9 => ("^", l ^ r),
        10 => ("==", (l == r) as i64),
        11 => ("!=", (l != r) as i64),
        12 => ("<", (l < r) as i64),
        13 => ("<=", (l <= r) as i64),
        14 => (">", (l > r) as i64),
        15 => ("&&", (l != 0 && r != 0) as i64),
        _ => ("||", (l != 0 || r != 0) as i64),
    };
    (format!("({left} {operator} {right})"), value)
}

#[test]
fn random_expressions_have_their_value() {
    let mut random = 0x2545_f491_4f6c_dd1d;
    for round in 0..3000 {
        let (expression, value) = random_expression(&mut random, 1 + round % 6);
        let text = format!(
            "C t\n{{ x=5; int v[2] = {{3,4}}; 0:a=7; 0:b=-2; }}\n\
             P0 (int* x, int* v) {{ long r = {expression}; int s = 0; if ({expression}) s = 1; }}\n\
             P1 (int* x) {{ int q = *x; }}\nlocations [0:a; 0:b; 0:r; 0:s;]"
        );
        assert_eq!(state(&text), format!("0:a=7 0:b=-2 0:r={value} 0:s={}", (value != 0) as i64), "{text}");
    }
}

#[test]
fn a_large_statement_needs_few_registers() {
    fn tree(depth: u32) -> String {
        if depth == 0 { "*x".to_string() } else { format!("({0} + {0})", tree(depth - 1)) }
    }
    let text = format!(
        "C t\n{{ x=1; }}\nP0 (int* x) {{ int r = {}; }}\nP1 (int* x) {{ int q = *x; }}\nforall (0:r=65536)",
        tree(16)
    );
    let test = support::parse(&text);
    assert!(format!("{:?}", test.program.start(Entry::Initial(0))).len() < 1000);
    let mut cursor = test.program.start(Entry::Initial(0));
    let reads = (0..)
        .take_while(|_| {
            test.program.step(&mut cursor, raveler_core::Answer::Value(1)).operation != Operation::Done
        })
        .count();
    assert_eq!(reads, 65536);
}
