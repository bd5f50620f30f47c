//! A number of a lowered program: flags for clang, its version, and options that change the lowering all change it.

use std::fmt::Write;

use crate::code::Code;

impl Code {
    /// A number that differs, most likely, between programs that do not do the same. Names of source files are no part
    /// of it.
    pub(crate) fn fingerprint(&self) -> u64 {
        let Code {
            functions,
            globals,
            places,
            entry,
            constructors,
            reallocates,
            has_sections,
            has_lives,
            arguments,
            wants_results,
            texts,
            sources: _,
            warnings: _,
        } = self;
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        let all = (functions, globals, places, entry, constructors);
        let rest = (reallocates, has_sections, has_lives, arguments, wants_results, texts);
        // Writing to a hash cannot fail.
        let _ = write!(hash, "{all:?} {rest:?}");
        hash.0
    }
}

/// FNV-1a: the same everywhere.
struct Fnv(u64);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}
