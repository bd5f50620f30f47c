//! What a measurement was made on: processor, cores, compiler, commit, date.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The circumstances of a measurement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many cores the process may use.
    pub cores: usize,
    /// The compiler's version.
    pub rustc: String,
    /// The commit, with a `+` if the tree differs from it.
    pub commit: String,
    /// Such as `2026-11-20`.
    pub date: String,
}

impl Machine {
    /// This one, now.
    pub fn here() -> Machine {
        let commit = output("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
        let changed = output("git", &["status", "--porcelain"]).is_some_and(|text| !text.is_empty());
        Machine {
            processor: processor().unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: output("rustc", &["--version"]).unwrap_or_else(|| "unknown".to_owned()),
            commit: if changed { commit + "+" } else { commit },
            date: date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())),
        }
    }
}

fn output(command: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(command).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The resident memory of this process in bytes, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The day of this many seconds after the start of 1970.
fn date(seconds: u64) -> String {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut days, mut year) = (seconds / 86_400, 1970);
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year:04}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_know_leap_years() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_794_700_800), "2026-11-15");
    }
}
