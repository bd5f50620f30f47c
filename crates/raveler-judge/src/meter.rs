//! Now and then a line on standard error says how far a long campaign has come.

use std::sync::Mutex;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_secs(60);

/// Counts programs, and says so once a minute.
#[derive(Debug)]
pub struct Meter {
    total: u64,
    start: Instant,
    seen: Mutex<(u64, Instant)>,
}

impl Meter {
    /// A meter for so many programs.
    pub fn new(total: u64) -> Meter {
        let start = Instant::now();
        Meter { total, start, seen: Mutex::new((0, start)) }
    }

    /// One more program was judged.
    pub fn step(&self) {
        let mut seen = self.seen.lock().expect("no worker panics while it holds this");
        seen.0 += 1;
        if seen.1.elapsed() >= PAUSE {
            seen.1 = Instant::now();
            let minutes = self.start.elapsed().as_secs_f64() / 60.0;
            eprintln!("{} of {} programs after {minutes:.1} minutes", seen.0, self.total);
        }
    }
}
