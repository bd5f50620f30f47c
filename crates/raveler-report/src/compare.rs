//! The answer of `raveler compare`: two checks of one file side by side.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{CheckResult, VerdictName};
use crate::paint::{Colour, Tone, columns, grouped, seconds};

/// Two checks of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The version of this format.
    pub schema: u32,
    /// Do verdict, final states and violations agree? Counts and times may differ all the same.
    pub same: bool,
    /// The first check.
    pub left: CheckResult,
    /// The second check.
    pub right: CheckResult,
}

impl Comparison {
    /// Put two results side by side.
    pub fn new(left: CheckResult, right: CheckResult) -> Comparison {
        let same = left.verdict == right.verdict
            && states(&left) == states(&right)
            && violations(&left) == violations(&right);
        Comparison { schema: crate::json::SCHEMA, same, left, right }
    }

    /// Did both checks see everything?
    pub fn is_complete(&self) -> bool {
        [&self.left, &self.right].iter().all(|r| r.verdict != VerdictName::Inconclusive)
    }
}

/// The comparison in words; `options` are the two option strings as given.
pub fn render(comparison: &Comparison, options: [&str; 2], colour: Colour) -> String {
    let Comparison { left, right, .. } = comparison;
    let row = |name: &str, of: &dyn Fn(&CheckResult) -> String| vec![name.to_string(), of(left), of(right)];
    let mut rows = vec![
        vec![left.file.clone(), or_default(options[0]), or_default(options[1])],
        row("verdict", &|r| format!("{:?}", r.verdict).to_lowercase()),
    ];
    if left.litmus.is_some() {
        rows.push(row("condition", &|r| match r.litmus.as_ref().and_then(|l| l.holds) {
            Some(true) => "holds".to_string(),
            Some(false) => "does not hold".to_string(),
            None => "open".to_string(),
        }));
        rows.push(row("states", &|r| grouped(states(r).len() as u64)));
    }
    rows.push(row("violations", &|r| grouped(r.violations.len() as u64)));
    rows.push(row("executions", &|r| grouped(r.executions)));
    rows.push(row("blocked", &|r| grouped(r.blocked)));
    if [left, right].iter().any(|r| r.stats.lb_races.is_some()) {
        let races = |r: &CheckResult| r.stats.lb_races.map_or("not asked for".to_string(), grouped);
        rows.push(row("load-buffering races", &races));
    }
    rows.push(row("time", &|r| seconds(r.time_s)));
    let mut lines = columns("", &rows);
    lines[0] = colour.paint(Tone::Strong, &lines[0]);
    let mut out: String = lines.into_iter().map(|line| line + "\n").collect();
    out.push_str(&only("states", options, states(left), states(right), colour));
    out.push_str(&only("violations", options, violations(left), violations(right), colour));
    if comparison.same {
        out.push_str("\nno difference in verdict, states and violations\n");
    }
    if !comparison.is_complete() {
        out.push_str("   = one side did not see everything: differences may be due to that\n");
    }
    out
}

fn or_default(options: &str) -> String {
    if options.trim().is_empty() { "(defaults)".to_string() } else { options.trim().to_string() }
}

fn states(result: &CheckResult) -> BTreeSet<String> {
    result.litmus.iter().flat_map(|l| l.states.iter().cloned()).collect()
}

fn violations(result: &CheckResult) -> BTreeSet<String> {
    let place = |l: &crate::json::Location| {
        let line = l.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}", l.file.as_deref().unwrap_or_default())
    };
    result.violations.iter().map(|v| format!("{}  {}", v.kind, place(&v.location))).collect()
}

fn only(
    what: &str,
    options: [&str; 2],
    left: BTreeSet<String>,
    right: BTreeSet<String>,
    colour: Colour,
) -> String {
    let mut out = String::new();
    for (side, mine, other) in [(options[0], &left, &right), (options[1], &right, &left)] {
        let mut lines = mine.difference(other).peekable();
        if lines.peek().is_some() {
            let title = format!("{what} only with {}", or_default(side));
            out.push_str(&format!("\n{}\n", colour.paint(Tone::Strong, &title)));
            out.extend(lines.map(|line| format!("   {line}\n")));
        }
    }
    out
}
