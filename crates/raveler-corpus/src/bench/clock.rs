//! How long something took: CPU time of the whole process (user and system) and time on the wall.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// The time of one run.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// User and system time of all threads.
    pub cpu: Duration,
    /// Time on the wall.
    pub wall: Duration,
}

/// Do something and say how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Time) {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let result = work();
    (result, Time { cpu: cpu.elapsed(), wall: wall.elapsed() })
}

/// A run shorter than this is made several times, and the mean is taken.
const SHORT: Duration = Duration::from_millis(100);

/// Repeat and take the run in the middle, by CPU time.
pub fn median(repetitions: usize, mut run: impl FnMut() -> Time) -> Time {
    let mut times: Vec<Time> = (0..repetitions.max(1)).map(|_| mean(&mut run)).collect();
    times.sort_by_key(|time| time.cpu);
    times[times.len() / 2]
}

/// The mean of as many runs as fill [`SHORT`].
fn mean(run: &mut impl FnMut() -> Time) -> Time {
    let (mut sum, mut runs) = (run(), 1);
    while sum.cpu < SHORT {
        let next = run();
        sum = Time { cpu: sum.cpu + next.cpu, wall: sum.wall + next.wall };
        runs += 1;
    }
    Time { cpu: sum.cpu / runs, wall: sum.wall / runs }
}

/// How many per second, 0 if no time passed.
pub fn per_second(count: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { count as f64 / time.as_secs_f64() }
}
