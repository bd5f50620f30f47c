//! Clock, memory and Ctrl-C. They act on a search only through its observer, which asks [`Limits::flow`].
//!
//! A second thread looks at the clock and at memory, so that the search itself pays one atomic load.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use raveler_core::Flow;
use raveler_report::estimate::rounded;
use raveler_report::paint::grouped;
use raveler_report::{Stop, Usage};

/// How often the clock and memory are looked at.
const TICK: Duration = Duration::from_millis(50);
/// Progress is drawn this often, and not at all for checks that are done sooner.
const DRAW: Duration = Duration::from_millis(200);
const FIRST_DRAW: Duration = Duration::from_millis(600);

const RUNNING: u8 = 0;
const TIMEOUT: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPTED: u8 = 3;

/// What may stop a search, and how far it is.
#[derive(Debug)]
pub struct Limits {
    started: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    interrupt: Arc<AtomicBool>,
    cause: AtomicU8,
    /// Set with the cause; for those that run for long without asking.
    over: Arc<AtomicBool>,
    executions: AtomicU64,
}

impl Limits {
    /// The clock starts now.
    pub fn new(timeout: Option<Duration>, max_memory: Option<u64>, interrupt: Arc<AtomicBool>) -> Limits {
        Limits {
            started: Instant::now(),
            timeout,
            max_memory,
            interrupt,
            cause: AtomicU8::new(RUNNING),
            over: Arc::default(),
            executions: AtomicU64::new(0),
        }
    }

    /// Go on?
    pub fn flow(&self) -> Flow {
        if self.cause.load(Ordering::Relaxed) == RUNNING { Flow::Continue } else { Flow::Stop }
    }

    /// A flag that is set when there is nothing more to do.
    pub fn over(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.over)
    }

    /// So many more executions were seen.
    pub fn count_executions(&self, more: u64) {
        self.executions.fetch_add(more, Ordering::Relaxed);
    }

    /// What stopped the search, if one of these limits did.
    pub fn cause(&self) -> Option<Stop> {
        match self.cause.load(Ordering::Relaxed) {
            TIMEOUT => self.timeout.map(|limit| Stop::Timeout(limit.as_secs_f64())),
            MEMORY => self.max_memory.map(Stop::Memory),
            INTERRUPTED => Some(Stop::Interrupted),
            _ => None,
        }
    }

    /// Do some work under these limits, with progress on standard error if a person can see it.
    pub fn guard<T>(&self, progress: Progress<'_>, work: impl FnOnce() -> T) -> T {
        /// Ends the watching threads also when the work panics.
        struct Finish<'a>(&'a AtomicBool, thread::Thread);
        impl Drop for Finish<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Release);
                self.1.unpark();
            }
        }
        let (finished, expected) = (AtomicBool::new(false), OnceLock::new());
        thread::scope(|scope| {
            // A thread of its own: whoever guesses does not look at the clock.
            let (finished, expected) = (&finished, &expected);
            let guess = move || {
                if let Progress::Shown(guess) = progress {
                    scope.spawn(move || expected.set(guess()));
                }
            };
            let watcher = scope.spawn(move || self.watch(progress, finished, expected, guess));
            let finish = Finish(finished, watcher.thread().clone());
            let result = work();
            drop(finish);
            if matches!(progress, Progress::Shown(_)) {
                self.over.store(true, Ordering::Relaxed);
            }
            result
        })
    }

    fn watch(
        &self,
        progress: Progress<'_>,
        finished: &AtomicBool,
        expected: &OnceLock<f64>,
        guess: impl FnOnce(),
    ) {
        let visible = matches!(progress, Progress::Shown(_)) && std::io::stderr().is_terminal();
        let mut next_draw = FIRST_DRAW;
        let mut guess = Some(guess);
        while !finished.load(Ordering::Acquire) {
            self.check();
            let elapsed = self.started.elapsed();
            if visible && elapsed >= next_draw {
                if let Some(guess) = guess.take() {
                    guess();
                }
                self.draw(elapsed, expected.get().copied().unwrap_or(0.0));
                next_draw = elapsed + DRAW;
            }
            let left = self.timeout.map_or(TICK, |limit| limit.saturating_sub(elapsed));
            thread::park_timeout(left.clamp(Duration::from_millis(1), TICK));
        }
        if next_draw > FIRST_DRAW {
            // The line of progress gives way to the result.
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }

    fn check(&self) {
        let cause = if self.interrupt.load(Ordering::Relaxed) {
            INTERRUPTED
        } else if self.timeout.is_some_and(|limit| self.started.elapsed() >= limit) {
            TIMEOUT
        } else if self.max_memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit)) {
            MEMORY
        } else {
            return;
        };
        // The first cause is the one that is told.
        let _ = self.cause.compare_exchange(RUNNING, cause, Ordering::Relaxed, Ordering::Relaxed);
        self.over.store(true, Ordering::Relaxed);
    }

    fn draw(&self, elapsed: Duration, expected: f64) {
        let executions = self.executions.load(Ordering::Relaxed);
        let rate = executions as f64 / elapsed.as_secs_f64();
        let of = if expected > executions as f64 {
            format!(" of about {}", rounded(expected))
        } else {
            String::new()
        };
        let line = format!(
            "{}{of} executions, {} per second, {:.0} s",
            grouped(executions),
            grouped(rate as u64),
            elapsed.as_secs_f64()
        );
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }

    /// Time and memory used so far.
    pub fn usage(&self) -> Usage {
        Usage {
            time_s: self.started.elapsed().as_secs_f64(),
            cpu_s: processor_seconds(),
            peak_rss_bytes: peak_bytes(),
        }
    }
}

/// Is progress wanted?
#[derive(Clone, Copy)]
pub enum Progress<'a> {
    /// If standard error is a terminal. The function guesses how many executions there will be; it is asked
    /// once, and only if the search takes a while.
    Shown(&'a (dyn Fn() -> f64 + Sync)),
    /// Not at all.
    Hidden,
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process at once.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the process, which is not worse than not starting.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(3);
        }
    });
    flag
}

/// The resident size of this process; none where /proc does not say.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page_size())
}

#[cfg(unix)]
fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

#[cfg(not(unix))]
fn page_size() -> u64 {
    4096
}

/// The largest resident size so far; none where /proc does not say.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(unix)]
fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn processor_seconds() -> Option<f64> {
    None
}
