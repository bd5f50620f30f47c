//! Tables of a paper as Markdown: what the data says, what a run gave, and what the page has.

use std::time::Duration;

use super::row::{Found, Row};

/// The lines of one table of the page.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name: the paper's number and a word.
    pub name: &'static str,
    /// Its lines.
    pub rows: Vec<Row>,
}

/// What running a line gave.
#[derive(Clone, Debug)]
pub enum Run {
    /// It is long and was not asked for, or there is nothing to run.
    Left,
    /// A number, or the time was up.
    Found(Found),
}

const HEAD: &str = "| program | command | paper | ours | paper (s) | ours (s) | remark |\n|---|---|---:|---:|---:|---:|---|\n";
/// Which cell of a line holds our seconds.
const SECONDS: usize = 6;

impl Table {
    /// A table.
    pub fn new(name: &'static str, rows: Vec<Row>) -> Table {
        Table { name, rows }
    }

    /// The table with our times left open.
    pub fn expected(&self) -> String {
        let lines: Vec<String> = self.rows.iter().map(|row| line(row, row.ours, "")).collect();
        HEAD.to_owned() + &lines.concat()
    }

    /// The table as it came out. A line that was not run keeps the seconds that `before`, the table on the page, has.
    pub fn found(&self, runs: &[Run], before: &str) -> String {
        let known: Vec<(String, String)> =
            before.lines().map(|line| (without_seconds(line), cell(line, SECONDS))).collect();
        let mut text = HEAD.to_owned();
        for (row, run) in self.rows.iter().zip(runs) {
            match run {
                Run::Found(Found { count: Some(count), seconds }) => {
                    text += &line(row, Some(*count), &show_seconds(*seconds));
                }
                Run::Found(Found { count: None, seconds }) => {
                    text += &line(row, row.ours, &format!("not in {seconds:.0}"));
                }
                Run::Left => {
                    let open = line(row, row.ours, "");
                    let old = known.iter().find(|(line, _)| *line == without_seconds(&open));
                    text += &line(row, row.ours, old.map_or("", |(_, seconds)| seconds));
                }
            }
        }
        text
    }

    /// Run the lines; long ones if they are asked for. What is not as expected goes to `wrong`.
    pub fn run(
        &self,
        with_long: bool,
        limit: Option<Duration>,
        wrong: &mut Vec<String>,
        seen: &mut dyn FnMut(&Row, &Run),
    ) -> Vec<Run> {
        let mut runs = Vec::new();
        for row in &self.rows {
            let run = if row.is_long && !with_long {
                Run::Left
            } else {
                match row.run(limit) {
                    Ok(None) => Run::Left,
                    Ok(Some(found)) => {
                        if let Some(count) = found.count.filter(|count| Some(*count) != row.ours) {
                            let expected = row.ours.unwrap_or_default();
                            wrong.push(format!(
                                "{}: {count} found, {expected} expected: {}",
                                row.program,
                                row.command()
                            ));
                        }
                        Run::Found(found)
                    }
                    Err(message) => {
                        wrong.push(message);
                        Run::Left
                    }
                }
            };
            seen(row, &run);
            runs.push(run);
        }
        runs
    }
}

fn line(row: &Row, ours: Option<u64>, seconds: &str) -> String {
    let number = |count: Option<u64>| count.map_or(String::new(), grouped);
    let command = match row.command() {
        none if none.is_empty() => format!("({})", row.options),
        command => format!("`{command}`"),
    };
    let cells =
        [&row.program, &command, &number(row.paper), &number(ours), row.paper_seconds, seconds, &row.remark];
    format!("| {} |\n", cells.join(" | "))
}

/// The cells of a line, our seconds left out.
pub fn without_seconds(line: &str) -> String {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let kept = cells.iter().enumerate().filter(|(at, _)| *at != SECONDS).map(|(_, cell)| *cell);
    kept.collect::<Vec<_>>().join("|")
}

fn cell(line: &str, at: usize) -> String {
    line.split('|').nth(at).unwrap_or_default().trim().to_owned()
}

/// `12,345`
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Two digits that mean something.
pub fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 10.0 => format!("{s:.0}"),
        s if s >= 1.0 => format!("{s:.1}"),
        s if s >= 0.1 => format!("{s:.2}"),
        s if s >= 0.01 => format!("{s:.3}"),
        s => format!("{s:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn seconds_have_two_digits() {
        assert_eq!(
            [0.0012, 0.034, 0.56, 7.89, 123.4].map(show_seconds),
            ["0.0012", "0.034", "0.56", "7.9", "123"]
        );
    }

    #[test]
    fn lines_are_equal_up_to_our_seconds() {
        let one = "| p | `c` | 1 | 2 | 0.5 | 0.01 | why |";
        assert_eq!(without_seconds(one), without_seconds("| p | `c` | 1 | 2 | 0.5 |  | why |"));
        assert_ne!(without_seconds(one), without_seconds("| p | `c` | 1 | 3 | 0.5 | 0.01 | why |"));
    }
}
