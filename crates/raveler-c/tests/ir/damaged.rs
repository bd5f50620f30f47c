//! Text that is cut off or garbled is refused, or read as something sound; nothing else happens.

use raveler_c::ir::read;

use crate::sound;

const TEXTS: [&str; 3] =
    [include_str!("stored/clang14.ll"), include_str!("stored/clang19.ll"), include_str!("stored/clang22.ll")];

const SYMBOLS: &[u8] = b"(){}[]<>,=*!%@#\"0x-.\n: i";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// True if it was read.
fn survive(text: &str) -> bool {
    match read(text) {
        Ok(module) => {
            sound::check(&module);
            true
        }
        Err(error) => {
            let lines = text.lines().count() + 1;
            assert!(error.line >= 1 && error.line as usize <= lines && error.column >= 1, "{error:?}");
            false
        }
    }
}

#[test]
fn cut_off() {
    for text in TEXTS {
        assert!(survive(text));
        for end in (0..text.len()).step_by(7) {
            survive(&text[..end]);
        }
    }
}

/// Up to the last place that counts, a cut is noticed: something that was mentioned is missing.
#[test]
fn a_cut_before_the_debug_information_is_noticed() {
    for text in TEXTS {
        let (code, _) = text.split_once("\n!0 = ").expect("there is metadata");
        let first = code.find("\ndefine").expect("there is a function") + 200;
        for end in (first..code.len()).step_by(11) {
            assert!(!survive(&text[..end]), "nothing was missed after byte {end}");
        }
    }
}

#[test]
fn flipped_bytes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for text in TEXTS {
        for _ in 0..2000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => bytes[at] ^ 1 << random.below(7),
                    1 => SYMBOLS[random.below(SYMBOLS.len())],
                    _ => bytes[random.below(bytes.len())],
                };
            }
            survive(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn lines_and_words_that_are_missing_or_moved() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    for text in TEXTS {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for round in 0..2000 {
            let mut changed = lines.clone();
            let words: String;
            let at = random.below(changed.len());
            match round % 4 {
                0 => {
                    changed.remove(at);
                }
                1 => changed.swap(at, (at + 1) % lines.len()),
                2 => changed.insert(at, lines[random.below(lines.len())]),
                _ => {
                    let mut pieces: Vec<&str> = changed[at].split_inclusive(' ').collect();
                    pieces.remove(random.below(pieces.len()));
                    words = pieces.concat();
                    changed[at] = &words;
                }
            }
            survive(&changed.concat());
        }
    }
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str| open.repeat(100_000) + close;
    for text in [
        deep("@x = global { ", ""),
        format!("@x = global {}", deep("[1 x ", "i8")),
        format!("@x = global i32 {}", deep("add (i32 ", "1")),
        format!("@x = global ptr {}", deep("getelementptr (i8, ptr ", "null")),
        format!("@x = external global i32{}", "*".repeat(100_000)),
        format!("@x = external global i32{}", " ()".repeat(100_000)),
        format!("define void @f({}", deep("void (", "")),
        format!("attributes #0 = {}", "{".repeat(1_000_000)),
        format!("!0 = !{}", "{".repeat(1_000_000)),
        format!("declare void @f() {}", "x(".repeat(100_000)),
        (0..5000).map(|i| format!("%t{i} = type {{ %t{} }}\n", i + 1)).collect::<String>()
            + "%t5000 = type {}",
        (0..5000).rev().map(|i| format!("%t{i} = type {{ %t{} }}\n", i + 1)).collect::<String>()
            + "%t5000 = type {}",
        "%t = type { [2 x %t] }".to_string(),
    ] {
        survive(&text);
    }
}
