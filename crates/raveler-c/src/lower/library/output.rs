//! Output of C++, and what does nothing that matters here.

use super::super::Lowerer;
use super::super::function::{Body, Reported};
use super::Given;
use crate::code::{Inst, Item, Native};

type Result<T> = std::result::Result<T, Reported>;

/// Functions of C that do nothing that matters here and answer 0.
const NONE: [&str; 12] = [
    "perror",
    "fflush",
    "setbuf",
    "setvbuf",
    "pthread_setname_np",
    "pthread_setaffinity_np",
    "_ZNSt6thread6_StateD2Ev",
    "_ZNSt8ios_base4InitC1Ev",
    "_ZNSt8ios_base4InitD1Ev",
    "_ZNSt8ios_base15sync_with_stdioEb",
    "srand48",
    "setlocale",
];

/// And some that wait for no reason, or ask about a world that is not there.
const IDLE: [&str; 25] = [
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
    "sched_getcpu",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "mlock",
    // There are no signals, so it is all the same which are blocked.
    "pthread_sigmask",
    "sigprocmask",
    "sigemptyset",
    "sigfillset",
    "sigaddset",
    "sigdelset",
    "madvise",
    "getenv",
    "time",
    "clock",
];

/// Streams of C++: each function answers the stream it was given.
const STREAMS: [&str; 7] =
    ["_ZNSols", "_ZSt4ends", "_ZSt4endl", "_ZSt5flushI", "_ZNSo3put", "_ZNSo5flush", "_ZNSo5write"];

/// A function of streams that write into strings, which is there where there are such (`include/raveler_streams.h`).
const KEEPS: &str = "_ZNSolsEi";

/// What a function of streams writes, by its name: the item, and of an integer how many bits it has. The functions of
/// `include/raveler_streams.h` say the same of what does not go into a string.
fn item(name: &str) -> Option<(Item, Option<u64>)> {
    if let Some(ours) = name.strip_prefix("__rv_stream_") {
        return Some(match ours {
            "signed" => (Item::Signed, None),
            "unsigned" => (Item::Unsigned, None),
            "bool" => (Item::Bool, None),
            "pointer" => (Item::Pointer, None),
            "double" => (Item::Double, None),
            "put" => (Item::Put, None),
            "bytes" => (Item::Bytes, None),
            "write" => (Item::Write, None),
            "change" => (Item::Change, None),
            "width" => (Item::Width, None),
            "fill" => (Item::Fill, None),
            "precision" => (Item::Precision, None),
            _ => return None,
        });
    }
    if let Some(ty) = name.strip_prefix("_ZNSolsE") {
        return Some(match ty {
            "s" => (Item::Signed, Some(16)),
            "i" => (Item::Signed, Some(32)),
            "l" | "x" => (Item::Signed, Some(64)),
            "t" | "j" | "m" | "y" => (Item::Unsigned, None),
            "b" => (Item::Bool, None),
            "d" => (Item::Double, None),
            "f" => (Item::Float, None),
            "Dn" => (Item::Null, None),
            "PKv" => (Item::Pointer, None),
            "PFRSt8ios_baseS0_E" => (Item::Change, None),
            _ => return None,
        });
    }
    if name.starts_with("_ZNSo3putE") {
        return Some((Item::Put, None));
    }
    if name.starts_with("_ZNSo5writeE") {
        return Some((Item::Write, None));
    }
    if name.starts_with("_ZSt16__ostream_insertIc") {
        return Some((Item::Bytes, None));
    }
    let operand = name.strip_prefix("_ZStlsI").filter(|rest| rest.contains("basic_ostreamI"))?;
    let ends = |end: &str| operand.ends_with(end);
    Some(match () {
        () if ends("_St5_Setw") => (Item::Width, None),
        () if ends("_St13_Setprecision") => (Item::Precision, None),
        () if operand.contains("_St8_SetfillI") => (Item::Fill, None),
        () if ends("basic_stringIS4_S5_T1_EE") => (Item::String, None),
        () if ends("_PKc") || ends("_PKa") || ends("_PKh") => (Item::Text, None),
        () if ends("_c") || ends("_a") || ends("_h") => (Item::Character, None),
        () => return None,
    })
}

impl Lowerer<'_> {
    pub(in crate::lower) fn output(
        &mut self,
        body: &mut Body<'_>,
        name: &str,
        given: &Given<'_>,
    ) -> Result<bool> {
        let streams = name.starts_with("_ZStls") && name.contains("basic_ostream");
        let streams = streams || STREAMS.iter().any(|prefix| name.starts_with(prefix));
        let streams =
            streams || name.starts_with("_ZSt16__ostream_insertI") || name.starts_with("__rv_stream_");
        // Where there are streams that write into strings, what they do not know is not ignored.
        let keeps = || self.module.functions.iter().any(|f| f.name == KEEPS && !f.blocks.is_empty());
        if streams && (name.starts_with("__rv_") || !keeps()) {
            return self.streams(body, name, given);
        }
        // `std::allocator<char>` has nothing to make or destroy.
        let known = NONE.contains(&name) || IDLE.contains(&name) || name.starts_with("_ZNSaIcE");
        if known {
            self.answer(body, given, 0);
        }
        Ok(known)
    }

    /// A function of `std::cout` and the like.
    fn streams(&mut self, body: &mut Body<'_>, name: &str, given: &Given<'_>) -> Result<bool> {
        let stream = self.argument(body, given, 0)?;
        if name == "_ZNSolsEPFRSoS_E" {
            // A manipulator: it is called with the stream.
            let pointer = self.argument(body, given, 1)?;
            let (first, count) = body.list(&[stream]);
            body.emit(Inst::CallPointer { pointer, to: given.to, results: 1, first, count });
            return Ok(true);
        }
        let operands = match item(name) {
            Some((item, bits)) => {
                let mut operands = vec![stream];
                for at in 1..given.arguments.len() {
                    operands.push(self.argument(body, given, at)?);
                }
                operands.extend(bits.map(|bits| body.constant(bits)));
                Some((item, operands))
            }
            None if name.starts_with("_ZSt4endl") => {
                Some((Item::Put, vec![stream, body.constant(u64::from(b'\n'))]))
            }
            None => None,
        };
        match operands {
            Some((item, operands)) => {
                let (first, count) = body.list(&operands);
                body.emit(Inst::Native { function: Native::Item(item), to: given.to, first, count });
            }
            None => body.emit(Inst::Move { to: given.to, from: stream }),
        }
        Ok(true)
    }
}
