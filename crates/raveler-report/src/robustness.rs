//! Where `tso` or `pso` shows more than `sc`: which accesses are reordered in the executions that show it, and which
//! fences forbid that.

use std::collections::BTreeSet;

use raveler_core::{EventId, EventKind, FenceAfter, Model, Order, SiteId, Witness};
use schemars::JsonSchema;
use serde::Serialize;

use crate::compare::SideName;
use crate::delays::{Circle, Delayed};
use crate::executions::name;
use crate::json::{self, Location};
use crate::paint::{Colour, Tone, columns, counted};
use crate::report::Report;
use crate::scene::Scene;

/// Of many executions that were explained this many are told.
const TOLD: usize = 4;
/// Of many differences that are left this many are listed.
const LEFT: usize = 8;

/// What came of the question why one side has more, and of fences that were tried.
#[derive(Clone, Debug)]
pub struct Robustness {
    /// The side that has more.
    pub weaker: SideName,
    /// Executions that the other side does not have, each with all fences before it in this list in place.
    pub explained: Vec<Explained>,
    /// The fences that were tried last.
    pub fences: Vec<Fence>,
    /// How often the weaker side was checked again.
    pub runs: u64,
    /// What they make of the difference.
    pub answer: FenceAnswer,
}

/// An execution that only the weaker side has.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The state, outcome or violation that it shows.
    pub shows: String,
    /// The execution.
    pub witness: Witness,
    /// Why it is not sequentially consistent.
    pub circle: Circle,
}

/// A fence, and what it stands between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fence {
    /// Order, and the store after which it stands.
    pub fence: FenceAfter,
    /// The access that it keeps from overtaking.
    pub before: SiteId,
}

/// What fences make of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenceAnswer {
    /// With them nothing is left of it, and without any one of them something is.
    Agree {
        /// The executions of the weaker side with the fences.
        executions: u64,
    },
    /// It is not known which fences would forbid it.
    Open {
        /// Why.
        reason: String,
        /// What is left of the difference with the fences.
        left: Vec<String>,
    },
}

/// What is reordered, and which fences forbid that.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RobustnessResult {
    /// The side that has more.
    pub weaker: SideName,
    /// Its model.
    pub model: String,
    /// Do the fences make the two sides agree, and is each of them needed? True only if the weaker side was checked again
    /// with them, and without each of them.
    pub agree: bool,
    /// Why it is not known which fences would, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is left of the difference with the fences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// Executions that sc does not have, and what is reordered in them; each with fences against those before it.
    pub explained: Vec<ExplainedResult>,
    /// The fences that were tried last.
    pub fences: Vec<FenceResult>,
    /// The executions of the weaker side with the fences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// How often the weaker side was checked again, with fences.
    pub runs: u64,
}

/// An execution that sc does not have.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainedResult {
    /// The state, outcome or violation that it shows.
    pub shows: String,
    /// Events of a circle of program order, reads-from, coherence order and from-reads, in order.
    pub circle: Vec<String>,
    /// What is reordered in the circle.
    pub reordered: Vec<ReorderedResult>,
    /// The execution.
    pub execution: json::ExecutionResult,
}

/// Two accesses of one thread that take effect in the other order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReorderedResult {
    /// `store-load` or `store-store`.
    pub kind: String,
    /// The thread.
    pub thread: u32,
    /// The store that comes first in the program.
    pub store: AccessResult,
    /// The access that overtakes it.
    pub overtaken_by: AccessResult,
}

/// An access of an execution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AccessResult {
    /// The event.
    pub event: String,
    /// What it does: `x = 1`, `y is 0`.
    pub what: String,
    /// Where.
    pub location: Location,
}

/// A fence that is not in the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FenceResult {
    /// Its memory order: `seq_cst`, or `release` where that is enough.
    pub order: String,
    /// How it is written in C.
    pub code: String,
    /// The store after which it stands.
    pub after: Location,
    /// The access that it keeps from overtaking.
    pub before: Location,
}

/// The JSON result.
pub fn result(report: &Report<'_>, robustness: &Robustness) -> RobustnessResult {
    let (reason, left, executions) = match &robustness.answer {
        FenceAnswer::Agree { executions } => (None, Vec::new(), Some(*executions)),
        FenceAnswer::Open { reason, left } => (Some(reason.clone()), left.clone(), None),
    };
    RobustnessResult {
        weaker: robustness.weaker,
        model: report.model.name().to_string(),
        agree: reason.is_none(),
        reason,
        left,
        explained: robustness.explained.iter().map(|explained| explanation(report, explained)).collect(),
        fences: robustness
            .fences
            .iter()
            .map(|Fence { fence, before }| FenceResult {
                order: fence.order.name().to_string(),
                code: code(fence.order),
                after: json::place(report.sources, fence.site),
                before: json::place(report.sources, *before),
            })
            .collect(),
        executions,
        runs: robustness.runs,
    }
}

fn explanation(report: &Report<'_>, explained: &Explained) -> ExplainedResult {
    let scene = report.scene(&explained.witness);
    let access = |id: EventId| AccessResult {
        event: name(id),
        what: scene.what(id),
        location: scene.event(id).map(|e| json::place(scene.sources, e.site)).unwrap_or_default(),
    };
    let reordered = |delayed: &Delayed| ReorderedResult {
        kind: if reads(&scene, delayed.past) { "store-load" } else { "store-store" }.to_string(),
        thread: delayed.store.thread() as u32,
        store: access(delayed.store),
        overtaken_by: access(delayed.past),
    };
    ExplainedResult {
        shows: explained.shows.clone(),
        circle: explained.circle.events.iter().map(|&id| name(id)).collect(),
        reordered: explained.circle.delayed.iter().map(reordered).collect(),
        execution: json::execution(&scene),
    }
}

fn reads(scene: &Scene<'_>, id: EventId) -> bool {
    scene.event(id).is_some_and(|event| event.kind == EventKind::Read)
}

fn code(order: Order) -> String {
    format!("atomic_thread_fence(memory_order_{})", order.name())
}

/// The answer in words.
pub fn render(report: &Report<'_>, robustness: &Robustness, colour: Colour) -> String {
    let may = match report.model {
        Model::Tso => "a load may overtake earlier stores of its thread",
        _ => "a load or store may overtake earlier stores of its thread to other locations",
    };
    // Without an execution to look at nothing is known.
    let title = match robustness.explained.is_empty() {
        true => format!("fences that make {} agree with sc", report.model.name()),
        false => format!("why {} has more than sc: {may}", report.model.name()),
    };
    let mut out = format!("\n{}\n", colour.paint(Tone::Strong, &title));
    let mut told: BTreeSet<Vec<String>> = BTreeSet::new();
    for (i, explained) in robustness.explained.iter().enumerate() {
        let scene = report.scene(&explained.witness);
        let rows: Vec<Vec<String>> = explained.circle.delayed.iter().map(|d| overtaking(&scene, d)).collect();
        let lines = columns("      ", &rows);
        // The same pairs may be reordered in other places, where other fences are needed.
        if told.len() == TOLD || !told.insert(lines.clone()) {
            continue;
        }
        let fences = if i == 0 { "" } else { ", with fences against the above" };
        // A violation has its place after two spaces.
        let shows = explained.shows.replacen("  ", " at ", 1);
        out.push_str(&format!("   in an execution with {shows}{fences}\n"));
        out.extend(lines.into_iter().map(|line| line + "\n"));
    }
    match &robustness.answer {
        FenceAnswer::Agree { executions } => {
            let checked = counted(*executions, "execution");
            let (count, needed) = match robustness.fences.len() {
                1 => ("one fence makes".to_string(), ""),
                n => (format!("{n} fences make"), ", and each is needed"),
            };
            out.push_str(&format!("   = {count} the two sides agree{needed} (checked: {checked})\n"));
            out.push_str(&placed(report, robustness));
        }
        FenceAnswer::Open { reason, left } => {
            out.push_str(&format!("   = which fences make the two sides agree is not known: {reason}\n"));
            if !robustness.fences.is_empty() {
                out.push_str("   = these are not enough:\n");
                out.push_str(&placed(report, robustness));
            }
            out.extend(left.iter().take(LEFT).map(|left| format!("   = still there with them: {left}\n")));
            if left.len() > LEFT {
                let more = counted((left.len() - LEFT) as u64, "difference");
                out.push_str(&format!("   = and {more} more\n"));
            }
        }
    }
    out
}

/// One line for a pair of accesses.
fn overtaking(scene: &Scene<'_>, delayed: &Delayed) -> Vec<String> {
    vec![
        scene.thread(delayed.store.thread()),
        scene.what(delayed.past),
        scene.place_of(delayed.past),
        "overtakes".to_string(),
        scene.what(delayed.store),
        scene.place_of(delayed.store),
    ]
}

/// Where the fences stand.
fn placed(report: &Report<'_>, robustness: &Robustness) -> String {
    let nothing = Witness::default();
    let scene = report.scene(&nothing);
    let columns_needed = columns_needed(report, robustness);
    let place = |site: SiteId| match report.sources.site(site) {
        Some(at) if columns_needed => format!("{}:{}", scene.place(site), at.column),
        _ => scene.place(site),
    };
    let row = |Fence { fence, before }: &Fence| {
        let mut words = format!("after {}", place(fence.site));
        if fence.site != *before {
            words.push_str(&format!(", before {}", place(*before)));
        }
        vec![code(fence.order), words]
    };
    let rows: Vec<Vec<String>> = robustness.fences.iter().map(row).collect();
    columns("      ", &rows).into_iter().map(|line| line + "\n").collect()
}

/// Does some line have both a store and the access that must not overtake it?
fn columns_needed(report: &Report<'_>, robustness: &Robustness) -> bool {
    let line = |site: SiteId| report.sources.site(site).map(|site| (site.file.clone(), site.line));
    robustness.fences.iter().any(|Fence { fence, before }| {
        fence.site != *before && line(fence.site).is_some() && line(fence.site) == line(*before)
    })
}
