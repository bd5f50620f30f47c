//! Broken tests never make the front-end panic or hang: good tests are changed at random and read again.

mod support;

use raveler_core::{Entry, Operation, Program};

const SEEDS: &[&str] = &[
    "C MP+cas\n\"about\"\n//@ sc: executions=3\n{ [x]=0; int y=1; int *p = &x; int a[3] = {1,2,3}; 0:r1=5; 0:r2=x; e=1; }\n\
     P0 (atomic_int* x, int* y, int** p, int* a, int* e) {\n  int r1; int r3 = 0;\n  for (int i = 0; i < 3; i++) { r3 += a[i]; }\n\
     if (atomic_compare_exchange_strong_explicit(x, e, 2, memory_order_acq_rel, relaxed) && *y != 0) { **p = r3; }\n\
     else { atomic_thread_fence(memory_order_seq_cst); *r2 = a[r1 & 1]; }\n}\n\
     P1 (atomic_int* x, volatile int* y) {\n  int r0 = atomic_load_explicit(x, acquire); // comment\n\
     do { r0 = (r0 > 3 ? *y : r0) + 1; } while (r0 < 9 && !(r0 == 5));\n  assert(r0 != 7); rv_assume(r0 | 1);\n}\n\
     locations [0:r3; x; a; 1:r0;]\nfilter (true)\nexists (0:r3=6 /\\ ([x]=2 \\/ ~(p=y)) => a[1]!=2)\n",
    "C SB\n{ }\nP0 (atomic_long* x, uint8_t* y) { atomic_store(x, 0x7fffffffffffffff); int r0 = *y; while (r0) { r0--; break; } }\n\
     P1 (atomic_long* x, uint8_t* y) { *y = (char) 255; long r0 = atomic_fetch_sub(x, 1) / 2 % 3 << 4 >> 1 ^ 7; }\n\
     ~exists (0:r0=0 /\\ 1:r0=0)\n",
];

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    "*",
    "&",
    "[",
    "]",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "2147483648",
    "int ",
    "P0",
    "P1",
    "x",
    "y",
    "r0",
    "r1",
    "a",
    "=",
    "==",
    "/*",
    "*/",
    "(*",
    "\"",
    "//",
    "\n",
    "while (1) ",
    "if (",
    "else ",
    "exists (",
    "0:",
    ":",
    "?",
    "+",
    "/",
    "%",
    "<<",
    "~",
    "/\\",
    "\\/",
    "=>",
    "atomic_load(",
    "relaxed",
    "é",
    "\0",
    "return;",
    "long ",
    "continue;",
    "forall",
    "locations [",
    "filter",
    "int *p = ",
    "++",
    "true",
    "a[9]",
];

/// A small generator (xorshift), so that runs can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n.max(1)
    }
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(6) {
        0 => drop(bytes.drain(at..end)),
        1 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        3 => {
            bytes.truncate(at.max(8));
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())].as_bytes();
            bytes.splice(at..end, piece.iter().copied());
        }
    }
}

/// Step each thread with arbitrary answers.
fn drive(program: &impl Program, random: &mut Random) {
    for thread in 0..program.threads() {
        let mut cursor = program.start(Entry::Initial(thread));
        let mut answer = 0;
        for _ in 0..50 {
            match program.step(&mut cursor, raveler_core::Answer::Value(answer)).operation {
                Operation::Done | Operation::Block | Operation::Fail { .. } => break,
                _ => answer = random.below(5) as u64,
            }
        }
    }
}

#[test]
fn random_changes_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut good, mut bad) = (0, 0);
    for round in 0..20_000 {
        let mut bytes = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut random, &mut bytes);
        }
        match raveler_litmus::parse_bytes("mutated.litmus", &bytes) {
            Ok(test) => {
                good += 1;
                drive(&test.program, &mut random);
            }
            Err(errors) => {
                bad += 1;
                assert!(!errors.is_empty() && errors.len() <= 20);
                for error in errors {
                    let span = error.span.expect("errors have places");
                    assert!(span.start <= span.end && span.end <= bytes.len());
                    if let Ok(text) = std::str::from_utf8(&bytes) {
                        assert!(text.get(span).is_some(), "spans do not split characters");
                    }
                }
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
}

#[test]
fn the_seeds_are_good() {
    for seed in SEEDS {
        support::parse(seed);
    }
}
