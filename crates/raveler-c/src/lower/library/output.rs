//! Output: to nowhere.

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::Inst;

type Result<T> = std::result::Result<T, Reported>;

/// Functions of C that do nothing that matters here and answer 0.
const NONE: [&str; 25] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "perror",
    "fflush",
    "setbuf",
    "setvbuf",
    "pthread_setname_np",
    "pthread_setaffinity_np",
    "__printf_chk",
    "__fprintf_chk",
    "dprintf",
    "write",
    "fwrite",
    "_ZNSt6thread6_StateD2Ev",
    "_ZNSt8ios_base4InitC1Ev",
    "_ZNSt8ios_base4InitD1Ev",
    "srand48",
    "setlocale",
];

/// And some that wait for no reason, or ask about a world that is not there.
const IDLE: [&str; 15] = [
    "sched_yield",
    "thrd_yield",
    "pthread_yield",
    "usleep",
    "sleep",
    "nanosleep",
    "thrd_sleep",
    "clock_nanosleep",
    "ualarm",
    "sched_setaffinity",
    "sched_setscheduler",
    "madvise",
    "getenv",
    "time",
    "clock",
];

/// Streams of C++: each function answers the stream it was given.
const STREAMS: [&str; 6] =
    ["_ZNSols", "_ZSt4endlI", "_ZSt5flushI", "_ZNSo3put", "_ZNSo5flush", "_ZNSo5write"];

/// A function of streams that write into strings, which is there where there are such (`include/raveler_streams.h`).
const KEEPS: &str = "_ZNSolsEi";

impl Lowerer<'_> {
    pub(in crate::lower) fn output(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        let streams = name.starts_with("_ZStls") && name.contains("basic_ostream");
        let streams = streams || STREAMS.iter().any(|prefix| name.starts_with(prefix));
        // Where there are streams that write into strings, what they do not know is not ignored.
        let keeps = || self.module.functions.iter().any(|f| f.name == KEEPS && !f.blocks.is_empty());
        if streams && !keeps() {
            let from = self.argument(body, given, 0)?;
            body.emit(Inst::Move { to: given.to, from });
            return Ok(true);
        }
        // `std::allocator<char>` has nothing to make or destroy.
        let known = NONE.contains(&name) || IDLE.contains(&name) || name.starts_with("_ZNSaIcE");
        if known {
            self.answer(body, given, 0);
        }
        Ok(known)
    }
}
