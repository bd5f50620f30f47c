//! Bugs of our own: a panic becomes a message that says so and asks for a report, never a panic text.

use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::Mutex;
use std::thread;

/// Room for deeply nested input; the memory is only taken when it is used.
const STACK: usize = 64 << 20;

/// What the first panic said.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// From now on panics are remembered instead of printed.
pub fn install() {
    panic::set_hook(Box::new(remember));
}

/// Do some work; if it panics, say what happened instead.
pub fn guard<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    let started = thread::Builder::new().name("raveler".to_string()).stack_size(STACK).spawn(work);
    let thread = started.map_err(|error| format!("cannot start a thread: {error}"))?;
    thread.join().map_err(|payload| {
        // The first panic is the cause; the one that arrives here may be a consequence in another thread.
        let first = FIRST.lock().ok().and_then(|mut first| first.take());
        first.unwrap_or_else(|| said(&*payload).to_string())
    })
}

fn remember(info: &PanicHookInfo<'_>) {
    let said = said(info.payload());
    let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
    if let Ok(mut first) = FIRST.lock() {
        first.get_or_insert(format!("{said}{place}"));
    }
}

/// What a panic said.
fn said(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}

/// The message for a bug.
pub fn message(what: &str) -> String {
    format!(
        "internal error: {what}\n   \
         = this is a bug in raveler, not in your program; the verdict is void\n   \
         = please report it with: raveler {}, the command line, and the input file\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        let said = guard(|| -> u32 { panic!("a read without a source") }).expect_err("it panicked");
        assert_eq!(said, "a read without a source");
        assert!(message(&said).contains("please report it"));
        let number = 3;
        let said = guard(move || -> u32 { panic!("thread {number}") }).expect_err("it panicked");
        assert_eq!(said, "thread 3");
        assert_eq!(guard(|| 7), Ok(7));
    }
}
