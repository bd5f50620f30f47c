//! The mistakes a litmus file can hold: their codes, the page each code has, and the list they are gathered in.
//!
//! Codes are stable: a number is never given a second meaning.

use raveler_core::diagnostic::Diagnostic;

use crate::lex::Span;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $title:literal, $page:literal;)*) => {
        $($(#[$doc])* #[doc = $title] pub const $name: &str = $code;)*

        /// Every code with its title and its page, by number.
        pub const CODES: &[Code] = &[$(Code { code: $code, title: $title, page: $page }),*];
    };
}

/// One kind of mistake, as `raveler explain` shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Such as `E0101`.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it means and what to do.
    pub page: &'static str,
}

codes! {
    EMPTY = "E0100", "the file is empty",
        "A litmus test begins with a line `C NAME`, then an initial state `{ ... }`, threads `P0 (...) { ... }` and a condition such as `exists (0:r0=1)`.";
    NOT_LITMUS = "E0101", "this is not a litmus test",
        "The first line of a C litmus test is `C NAME`: the letter C, a space and the test's name.";
    OTHER_ARCHITECTURE = "E0102", "a litmus test of another architecture",
        "Only C litmus tests are read (first line `C NAME`). Tests in assembler, such as X86 or AArch64 ones, have to be written in C first.";
    NOT_TEXT = "E0103", "the file is not text",
        "A litmus test is UTF-8 text. The file holds bytes that are not, so it is probably another kind of file or in another encoding.";
    UNTERMINATED = "E0104", "a comment or string without end",
        "Comments are `// to the end of the line`, `/* ... */` and, outside thread bodies, `(* ... *)`; strings are `\"...\"`. One of them is still open at the end of the file.";
    BAD_CHARACTER = "E0105", "a character that means nothing here",
        "Outside comments and strings a litmus test uses letters, digits and the operators of C, and `/\\` and `\\/` in conditions.";
    UNEXPECTED = "E0106", "something else was expected here",
        "The message says what was found and what could have stood there instead.";
    BRACES = "E0107", "braces do not match",
        "Each `{` needs its `}`: the initial state, each thread's body and each block.";
    BAD_NUMBER = "E0108", "a number that cannot be read",
        "Numbers are decimal or hexadecimal (`0x...`), may end in `u` or `l`, and must fit into 64 bits. A leading zero would mean octal in C and decimal in herd7, so it is refused.";
    TOO_DEEP = "E0109", "nested too deeply",
        "Statements, expressions and conditions may be nested 200 deep; a chain of operators may have 1,000 links.";
    DUPLICATE_THREAD = "E0110", "a thread is defined twice",
        "Each of `P0`, `P1`, ... is defined once.";
    THREAD_ORDER = "E0111", "threads are not numbered in order",
        "Threads are `P0`, `P1`, `P2`, ... in this order and without gaps.";
    THREAD_COUNT = "E0112", "no thread, or too many",
        "A test has at least one thread and at most 255.";
    UNKNOWN_TYPE = "E0113", "not a type of litmus tests",
        "Types are C's integer types (`char`, `int`, `unsigned long`, `uint8_t`, ...), their atomic variants (`atomic_int`, `_Atomic int`, ...) and pointers to these.";
    UNSUPPORTED_SYNTAX = "E0114", "a piece of C that litmus tests do not have",
        "Thread bodies have declarations, assignments, `if`, `while`, `do`, `for`, `break`, `continue`, `return;` and calls of the atomic functions. Larger programs can be checked as C files.";
    UNKNOWN_FUNCTION = "E0115", "an unknown function",
        "Known: atomic_load, atomic_store, atomic_exchange, atomic_fetch_add, atomic_fetch_sub, atomic_fetch_or, atomic_fetch_xor, atomic_fetch_and, atomic_compare_exchange_strong, atomic_compare_exchange_weak, each also with `_explicit`; atomic_init, atomic_thread_fence, atomic_signal_fence, assert, rv_assert, __VERIFIER_assert, rv_assume, __VERIFIER_assume.";
    ARGUMENT_COUNT = "E0116", "a wrong number of arguments",
        "The message says how many arguments the function takes. The `_explicit` functions take a memory order as their last argument (compare-exchange: two).";
    BAD_ORDER = "E0117", "a memory order that this operation cannot have",
        "Loads, and compare-exchanges that fail, are relaxed, consume, acquire or seq_cst; stores are relaxed, release or seq_cst; read-modify-writes and fences may have any order.";
    UNKNOWN_ORDER = "E0118", "not a memory order",
        "Memory orders are memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel and memory_order_seq_cst; the prefix may be left out.";
    UNDECLARED = "E0119", "a name that was not declared",
        "A thread uses its parameters (the locations) and what it declares itself. A name declared inside a block ends with the block.";
    DUPLICATE_NAME = "E0120", "a name is declared twice",
        "Registers belong to their thread and are shown by name at the end, so a name may not be declared again while it is visible, nor with another type in another block.";
    DOES_NOT_FIT = "E0121", "a value that does not fit its type",
        "For instance `char` holds -128 to 127 and `int` holds -2147483648 to 2147483647.";
    TYPE_MISMATCH = "E0122", "a value of the wrong kind",
        "Only pointers can be dereferenced, indexed or given to an atomic operation, and arithmetic is done on integers.";
    LOCATION_TYPE = "E0123", "a location has two types",
        "The initial state and all threads must agree on how many bytes a location has and whether it is a pointer. `int` and `atomic_int` agree.";
    UNKNOWN_THREAD = "E0124", "the condition names a thread that does not exist",
        "In `1:r0` the number is the thread's: P1.";
    UNKNOWN_REGISTER = "E0125", "the condition names a register that the thread does not have",
        "A register is a variable that the thread declares, or one with an initial value such as `0:r1=5`.";
    UNKNOWN_LOCATION = "E0126", "a location that does not exist",
        "Locations are the names in the initial state and the parameters of the threads.";
    DUPLICATE_INITIAL = "E0127", "two initial values for one place",
        "Each location and register has one initial value.";
    ARRAY_BOUNDS = "E0128", "an array size or index out of range",
        "An array has 1 to 65,536 elements, all arrays together at most 1,048,576, and constant indices must lie inside.";
    TOO_LARGE = "E0129", "the test is too large",
        "A file has at most 4 MiB, a thread at most 30,000 registers.";
    OUTSIDE_LOOP = "E0130", "break or continue outside a loop",
        "`break` and `continue` stand inside `while`, `do` or `for`.";
    NOT_ASSIGNABLE = "E0131", "something that cannot be assigned to",
        "Registers, `*pointer` and `array[index]` can be assigned to; parameters cannot.";
    SECOND_CONDITION = "E0132", "a part that may stand only once",
        "A test ends with at most one `locations [...]`, one `filter (...)` and one of `exists (...)`, `~exists (...)`, `forall (...)`.";
}

/// The entry for a code, if it is one of the litmus front-end.
///
/// ```
/// assert!(raveler_litmus::error::explain("E0115").is_some());
/// assert!(raveler_litmus::error::explain("E9999").is_none());
/// ```
pub fn explain(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// After this many the rest is likely noise.
pub const MAX_ERRORS: usize = 20;

/// The mistake was noted; the caller goes on at the next place that makes sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Noted;

/// What most functions of the front-end answer.
pub(crate) type Result<T> = std::result::Result<T, Noted>;

/// The mistakes found so far.
#[derive(Default, Debug)]
pub(crate) struct Errors {
    list: Vec<Diagnostic>,
    sealed: bool,
}

impl Errors {
    /// Note a mistake. At most [`MAX_ERRORS`] are kept, and one for each place.
    pub fn push(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        label: &str,
        help: &str,
    ) -> Noted {
        let span = span.range();
        let known = self.list.iter().any(|d| d.span.as_ref() == Some(&span));
        if !known && !self.sealed && self.list.len() < MAX_ERRORS {
            self.list.push(Diagnostic {
                code,
                message,
                span: Some(span),
                label: label.to_string(),
                help: (!help.is_empty()).then(|| help.to_string()),
            });
        }
        Noted
    }

    /// Whatever else would be found only follows from the last mistake.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.sealed || self.list.len() >= MAX_ERRORS
    }

    /// All of them, in the order of the text.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span.as_ref().map_or(0, |span| span.start));
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
