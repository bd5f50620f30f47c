//! The answer of `raveler compare`: two checks of one file side by side, what only one of them has, and one execution for
//! each such difference.

use std::collections::{BTreeMap, BTreeSet};

use raveler_core::{Violation, ViolationKind, Witness};
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{self, CheckResult, ErrorAnswer, ExecutionResult, Location, VerdictName};
use crate::paint::{Colour, Tone, columns, counted, grouped, seconds};
use crate::report::{Report, outcome_text};
use crate::robustness::{self, Robustness, RobustnessResult};
use crate::story;

/// Of each side at most this many executions are told.
const STORIES: usize = 3;
/// Of many differences of one kind this many are listed.
const LISTED: usize = 64;

/// One of the two checks.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// Its options as given.
    pub options: &'a str,
    /// What it found.
    pub report: Report<'a>,
    /// Final states or outcomes as text, with an execution for each.
    pub examples: &'a [(String, Witness)],
}

impl Side<'_> {
    /// Was everything seen?
    pub fn is_complete(&self) -> bool {
        self.report.is_complete() && !self.report.was_cut()
    }

    fn example(&self, text: &str) -> Option<&Witness> {
        self.examples.iter().find(|(of, _)| of == text).map(|(_, witness)| witness)
    }

    fn title(&self) -> String {
        if self.options.trim().is_empty() {
            "(defaults)".to_string()
        } else {
            self.options.trim().to_string()
        }
    }
}

/// The first or the second check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// What can differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A final state of a litmus test.
    State,
    /// Observed values of a program.
    Outcome,
    /// A violation.
    Violation,
}

/// Something that only one side has.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    /// Which side.
    pub side: SideName,
    /// What it is.
    pub what: What,
    /// The state, the values, or the kind of violation and its place.
    pub text: String,
    /// Observed values.
    pub values: Option<&'a [(String, i64)]>,
    /// The violation.
    pub violation: Option<&'a Violation>,
    /// An execution that has it; none if there were too many states or outcomes to keep one for each.
    pub witness: Option<&'a Witness>,
    /// The other side saw everything: it really does not have it.
    pub is_certain: bool,
}

/// What only one side has, the left one's first.
pub fn differences<'a>(sides: [&'a Side<'a>; 2]) -> Vec<Difference<'a>> {
    let [left, right] = sides;
    let mut found = only(SideName::Left, left, right);
    found.extend(only(SideName::Right, right, left));
    found
}

/// What one side has and the other does not: states, outcomes, violations, each sorted.
pub fn only<'a>(name: SideName, side: &'a Side<'a>, other: &Side<'_>) -> Vec<Difference<'a>> {
    let is_certain = other.is_complete();
    let base = |what: What, text: String| Difference {
        side: name,
        what,
        text,
        values: None,
        violation: None,
        witness: None,
        is_certain,
    };
    let mut found = Vec::new();
    let theirs: BTreeSet<&str> = states(&other.report).collect();
    for state in states(&side.report).filter(|state| !theirs.contains(state)) {
        let witness = side.example(state);
        found.push(Difference { witness, ..base(What::State, state.to_string()) });
    }
    let theirs: BTreeSet<&[(String, i64)]> = outcomes(&other.report).collect();
    for values in outcomes(&side.report).filter(|values| !theirs.contains(values)) {
        let text = outcome_text(values);
        let witness = side.example(&text);
        found.push(Difference { values: Some(values), witness, ..base(What::Outcome, text) });
    }
    let theirs: BTreeSet<ViolationKey> =
        other.report.outcome.violations.iter().map(|v| violation_key(&other.report, v)).collect();
    let mine = side.report.outcome.violations.iter().map(|v| (violation_key(&side.report, v), v));
    let mut mine: Vec<(ViolationKey, &Violation)> = mine.filter(|(key, _)| !theirs.contains(key)).collect();
    mine.sort_by(|(one, _), (other, _)| one.cmp(other));
    mine.dedup_by(|(one, _), (other, _)| one == other);
    for (_, violation) in mine {
        let text = violation_text(&side.report, violation);
        let witness = Some(&violation.witness);
        found.push(Difference { violation: Some(violation), witness, ..base(What::Violation, text) });
    }
    found
}

fn states<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a str> {
    report.litmus.iter().flat_map(|litmus| litmus.states.iter().map(|state| state.text.as_str()))
}

fn outcomes<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a [(String, i64)]> {
    report.notes.outcomes.iter().map(|(values, _)| values.as_slice())
}

/// What makes violations distinct: kind and places. Not sites, whose numbers may differ between two readings of a file.
type ViolationKey = (&'static str, Vec<(String, u32, u32)>);

fn violation_key(report: &Report<'_>, violation: &Violation) -> ViolationKey {
    let place = |site| {
        let Location { file, line, column, .. } = json::place(report.sources, site);
        (file.unwrap_or_default(), line.unwrap_or_default(), column.unwrap_or_default())
    };
    let mut places = vec![place(violation.site)];
    // Which thread holds the lock meanwhile depends on when the thread was asked.
    if violation.kind != ViolationKind::UnlockNotHeld {
        places.extend(violation.related.iter().map(|related| place(related.site)));
    }
    // Which of the two accesses of a race is found second depends on the search.
    if violation.kind == ViolationKind::Race {
        places.sort();
    }
    (violation.kind.name(), places)
}

fn violation_text(report: &Report<'_>, violation: &Violation) -> String {
    let at = json::place(report.sources, violation.site);
    let line = at.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}  {}{line}", violation.kind.name(), at.file.unwrap_or_default())
}

/// What `raveler compare --json` prints: one of these.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "The JSON result of raveler compare, version 1")]
pub enum Answer {
    /// Two checks of one file.
    Comparison(Box<Comparison>),
    /// Nothing was checked.
    Error(ErrorAnswer),
}

/// Two checks of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The version of this format: 1.
    pub schema: u32,
    /// The version of raveler.
    pub raveler: String,
    /// The file as the user gave it.
    pub file: String,
    /// Do verdict, final states, outcomes and violations agree? Counts and times may differ all the same.
    pub same: bool,
    /// Did both checks see everything? Otherwise there may be more differences, or fewer.
    pub complete: bool,
    /// The options as given.
    pub options: Options,
    /// What only one side has.
    pub differences: Vec<DifferenceResult>,
    /// If one side is sc and the other tso or pso, and has more: what is reordered, and which fences forbid that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robustness: Option<RobustnessResult>,
    /// The first check.
    pub left: CheckResult,
    /// The second check.
    pub right: CheckResult,
}

/// The options of two checks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Options {
    /// Those of the first.
    pub left: String,
    /// Those of the second.
    pub right: String,
}

/// Something that only one side has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DifferenceResult {
    /// The side that has it.
    pub side: SideName,
    /// What it is.
    pub what: What,
    /// A final state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Observed values, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, i64>>,
    /// The kind of a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The place of a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The other side saw everything, so it really does not have it.
    pub certain: bool,
    /// An execution that has it; left out if there were too many states or outcomes to keep one for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<ExecutionResult>,
}

impl Comparison {
    /// Put two checks side by side.
    pub fn new(
        sides: [&Side<'_>; 2],
        found: &[Difference<'_>],
        robustness: Option<&Robustness>,
    ) -> Comparison {
        let [left, right] = sides;
        let of = |name: SideName| if name == SideName::Left { left } else { right };
        Comparison {
            schema: json::SCHEMA,
            raveler: json::VERSION.to_string(),
            file: left.report.file.to_string(),
            same: found.is_empty() && left.report.verdict() == right.report.verdict(),
            complete: left.is_complete() && right.is_complete(),
            options: Options {
                left: left.options.trim().to_string(),
                right: right.options.trim().to_string(),
            },
            differences: found.iter().map(|d| difference(of(d.side), d)).collect(),
            robustness: robustness.map(|r| robustness::result(&of(r.weaker).report, r)),
            left: json::result(&left.report),
            right: json::result(&right.report),
        }
    }

    /// Is the verdict of one of them that not everything was seen?
    pub fn is_inconclusive(&self) -> bool {
        [&self.left, &self.right].iter().any(|r| r.verdict == VerdictName::Inconclusive)
    }
}

/// The JSON Schema of [`Answer`], as kept in the repository.
pub fn schema() -> String {
    json::schema_of::<Answer>()
}

fn difference(side: &Side<'_>, difference: &Difference<'_>) -> DifferenceResult {
    let violation = difference.violation;
    DifferenceResult {
        side: difference.side,
        what: difference.what,
        state: (difference.what == What::State).then(|| difference.text.clone()),
        values: difference.values.map(|values| values.iter().cloned().collect()),
        kind: violation.map(|v| v.kind.name().to_string()),
        location: violation.map(|v| json::place(side.report.sources, v.site)),
        certain: difference.is_certain,
        execution: difference.witness.map(|witness| json::execution(&side.report.scene(witness))),
    }
}

/// The comparison in words.
pub fn render(
    comparison: &Comparison,
    sides: [&Side<'_>; 2],
    found: &[Difference<'_>],
    robustness: Option<&Robustness>,
    colour: Colour,
) -> String {
    let mut out = table(comparison, sides, colour);
    let by_side = [(SideName::Left, sides[0]), (SideName::Right, sides[1])];
    for what in [What::State, What::Outcome, What::Violation] {
        for (name, side) in by_side {
            let of: Vec<_> = found.iter().filter(|d| (d.side, d.what) == (name, what)).collect();
            out.push_str(&listed(what, side, &of, colour));
        }
    }
    for (name, side) in by_side {
        let of: Vec<_> = found.iter().filter(|d| d.side == name).collect();
        out.push_str(&stories(side, &of, colour));
    }
    if let Some(robustness) = robustness {
        let side = sides[usize::from(robustness.weaker == SideName::Right)];
        out.push_str(&robustness::render(&side.report, robustness, colour));
    }
    let compared = if comparison.left.litmus.is_some() { "states" } else { "outcomes" };
    if comparison.same {
        out.push_str(&format!("\nno difference in verdict, {compared} and violations\n"));
        if sides.iter().all(|side| side.report.litmus.is_none() && side.report.notes.outcomes.is_empty()) {
            out.push_str("   = no values are observed, which could differ, too: rv_observe names them\n");
        }
    }
    if !comparison.complete {
        out.push_str("   = one side did not see everything: differences may be due to that\n");
    }
    out
}

/// Both checks in numbers.
fn table(comparison: &Comparison, sides: [&Side<'_>; 2], colour: Colour) -> String {
    let Comparison { left, right, .. } = comparison;
    let row = |name: &str, of: &dyn Fn(&CheckResult) -> String| vec![name.to_string(), of(left), of(right)];
    let mut rows = vec![
        vec![left.file.clone(), sides[0].title(), sides[1].title()],
        row("verdict", &|r| format!("{:?}", r.verdict).to_lowercase()),
    ];
    if left.litmus.is_some() {
        rows.push(row("condition", &|r| match r.litmus.as_ref().and_then(|l| l.holds) {
            Some(true) => "holds".to_string(),
            Some(false) => "does not hold".to_string(),
            None => "open".to_string(),
        }));
        let states = |r: &CheckResult| r.litmus.as_ref().map_or(0, |l| l.states.len() as u64);
        rows.push(row("states", &|r| grouped(states(r))));
    }
    if !(left.outcomes.is_empty() && right.outcomes.is_empty()) {
        rows.push(row("outcomes", &|r| grouped(r.outcomes.len() as u64)));
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
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The differences of one kind that one side has.
fn listed(what: What, side: &Side<'_>, found: &[&Difference<'_>], colour: Colour) -> String {
    if found.is_empty() {
        return String::new();
    }
    let noun = match what {
        What::State => "states",
        What::Outcome => "outcomes",
        What::Violation => "violations",
    };
    let title = format!("{noun} only with {}", side.title());
    let mut out = format!("\n{}\n", colour.paint(Tone::Strong, &title));
    out.extend(found.iter().take(LISTED).map(|d| format!("   {}\n", d.text)));
    if found.len() > LISTED {
        out.push_str(&format!(
            "   ... and {} more; --json has all\n",
            grouped((found.len() - LISTED) as u64)
        ));
    }
    out
}

/// Executions that show differences, the first few of a side.
fn stories(side: &Side<'_>, found: &[&Difference<'_>], colour: Colour) -> String {
    let report = &side.report;
    let how = (report.model, report.xmm_rules);
    let mut out = String::new();
    let shown = found.iter().filter_map(|d| Some((d, d.witness?)));
    for (difference, witness) in shown.take(STORIES) {
        let scene = report.scene(witness);
        let (what, story) = match difference.violation {
            Some(violation) => {
                (story::headline(&scene, violation), story::violation(&scene, violation, how, colour))
            }
            None => {
                let verb = if difference.what == What::State { "ends with" } else { "observes" };
                let text = format!("an execution that {verb} {}", difference.text);
                (text, story::execution(&scene, how, colour))
            }
        };
        let title = format!("with {}: {what}", side.title());
        out.push_str(&format!("\n{}\n{story}", colour.paint(Tone::Strong, &title)));
    }
    if found.len() > STORIES {
        let more = counted((found.len() - STORIES) as u64, "difference");
        out.push_str(&format!(
            "   ... and {more} more with {}; --json has an execution for each\n",
            side.title()
        ));
    }
    out
}
