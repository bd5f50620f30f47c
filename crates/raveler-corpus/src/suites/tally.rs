//! The table of a run, and why programs were refused or answered otherwise.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Task;
use super::answer::{Answer, Timed};

/// How one row of the table went.
#[derive(Default, Debug)]
struct Row {
    files: usize,
    /// By the columns of [`COLUMNS`].
    counts: [usize; COLUMNS.len()],
    time: Duration,
}

const COLUMNS: [&str; 8] =
    ["agree", "refused", "limit", "other kind", "other count", "missed", "false", "failed"];

/// All that came out.
#[derive(Default, Debug)]
pub(super) struct Tally {
    rows: Vec<(String, Row)>,
    /// Everything but agreement: by column and message, the programs.
    reasons: BTreeMap<(usize, String), Vec<String>>,
}

/// The column that an answer counts in, and what is said of it below the table.
fn place(answer: &Answer) -> (usize, String) {
    match answer {
        Answer::Agrees => (0, String::new()),
        Answer::Refused(message) => (1, message.clone()),
        Answer::Limit(message) => (2, message.clone()),
        Answer::OtherKind(message) => (3, message.clone()),
        Answer::OtherCount { here, there } => (4, format!("{here} executions for {there}")),
        Answer::Missed => (5, "verified".to_string()),
        Answer::False(message) => (6, message.clone()),
        Answer::Failed(message) => (7, message.clone()),
    }
}

impl Tally {
    /// Count an answer.
    pub(super) fn note(&mut self, task: &Task, timed: Timed) {
        let (column, reason) = place(&timed.answer);
        if !self.rows.iter().any(|(name, _)| *name == task.row) {
            self.rows.push((task.row.clone(), Row::default()));
        }
        for (_, row) in self.rows.iter_mut().filter(|(name, _)| *name == task.row) {
            row.files += 1;
            row.counts[column] += 1;
            row.time += timed.time;
        }
        if timed.answer != Answer::Agrees {
            self.reasons.entry((column, reason)).or_default().push(task.name());
        }
    }

    /// The table, and the reasons below it, those of most programs first.
    pub(super) fn print(&self) {
        println!("| suite | programs | {} | time |", COLUMNS.join(" | "));
        println!("|---|{}", "--:|".repeat(COLUMNS.len() + 2));
        for (name, row) in &self.rows {
            let counts = row.counts.map(|count| count.to_string()).join(" | ");
            println!("| {name} | {} | {counts} | {:.0} s |", row.files, row.time.as_secs_f64());
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|((column, _), programs)| (*column, usize::MAX - programs.len()));
        for ((column, reason), programs) in reasons {
            println!("\n{}, {}: {reason}", COLUMNS[*column], programs.len());
            for program in programs.iter().take(5) {
                println!("   {program}");
            }
            if programs.len() > 5 {
                println!("   and {} more", programs.len() - 5);
            }
        }
    }

    /// No violation was missed, none reported that is none, and the command answered each time.
    pub(super) fn is_without_wrong_answers(&self) -> bool {
        self.rows.iter().all(|(_, row)| row.counts[5..].iter().all(|count| *count == 0))
    }
}
