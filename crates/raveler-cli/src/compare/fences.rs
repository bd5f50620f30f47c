//! Fences that make tso or pso agree with sc: proposed from executions that sc does not have, and checked by running the
//! weaker side again with them.
//!
//! Round by round: an execution of the weaker side that shows a difference has a circle, and in it delayed stores
//! (`raveler_report::delays`). A fence goes between each of these and what overtook it, which forbids the circle; the
//! weaker side is checked again with all fences so far; what is left of the difference gives the next circle. In the end
//! each fence is left out once, to see whether it is needed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use raveler_core::{EventId, EventKind, FenceAfter, Model, Order, SiteId, Witness};
use raveler_report::compare::{SideName, only};
use raveler_report::delays::{Circle, Delayed, circle};
use raveler_report::robustness::{Explained, Fence, FenceAnswer, Robustness};

use super::{Input, Ran, limits_of};
use crate::args::Search;
use crate::refusal::Refusal;

/// With more fences than this the answer would help nobody.
const MAX_FENCES: usize = 32;

/// If one side is sc and the other one tso or pso and has more: which fences make them agree?
pub fn find(
    input: &Input<'_>,
    ran: &[Ran; 2],
    interrupt: &Arc<AtomicBool>,
) -> Result<Option<Robustness>, Refusal> {
    let models = [ran[0].settings.model, ran[1].settings.model];
    let (weaker, name) = match models {
        [Model::Sc, Model::Tso | Model::Pso] => (1, SideName::Right),
        [Model::Tso | Model::Pso, Model::Sc] => (0, SideName::Left),
        _ => return Ok(None),
    };
    let [weak, strong] = [&ran[weaker], &ran[1 - weaker]];
    let Some(first) = remaining(name, weak, strong) else { return Ok(None) };
    let (explained, fences) = (Vec::new(), Vec::new());
    let mut found = Robustness { weaker: name, explained, fences, runs: 0, answer: open("") };
    if !(weak.side().is_complete() && strong.side().is_complete()) {
        found.answer = open("one side did not see everything");
        return Ok(Some(found));
    }
    if !differ_in_model_only(&weak.search, &strong.search) || weak.settings.races != strong.settings.races {
        found.answer = open("the sides differ in more than the model");
        return Ok(Some(found));
    }
    // The limits of the side hold for all of its further checks together.
    let limits = limits_of(&weak.search, interrupt);
    let mut runs = 0;
    let rerun = |fences: &[Fence]| {
        runs += 1;
        let mut settings = weak.settings.clone();
        settings.fences = fences.iter().map(|fence| fence.fence).collect();
        let again = input.check(weak.options.clone(), weak.search.clone(), settings, &limits, true)?;
        let complete = again.side().is_complete();
        Ok(match remaining(name, &again, strong) {
            _ if !complete => Again::Stopped("a check with fences was stopped before it had seen everything"),
            // A header may have changed meanwhile.
            _ if again.sources.sites != weak.sources.sites => Again::Stopped("the program has changed"),
            Some(left) => Again::Left(Box::new(left)),
            None => Again::Agrees { executions: again.checked.findings.outcome.counts.executions },
        })
    };
    settle(&mut found, weak.settings.model, first, rerun)?;
    found.runs = runs;
    Ok(Some(found))
}

fn open(reason: &str) -> FenceAnswer {
    FenceAnswer::Open { reason: reason.to_string(), left: Vec::new() }
}

/// Do these options mean the same but for the model? Options that only change how a search goes do not matter.
fn differ_in_model_only(one: &Search, other: &Search) -> bool {
    let meaning = |s: &Search| {
        let read = (s.entry.clone(), s.nondet, s.volatile, s.unroll, s.max_stack);
        (read, s.spurious_cas, s.spurious_wakeups, s.check_liveness)
    };
    meaning(one) == meaning(other)
}

/// What is left of the difference.
struct Left {
    /// All of it.
    all: Vec<String>,
    /// One of it, with an execution; none if none was kept.
    example: Option<(String, Witness)>,
}

/// What the weaker side has that the other has not; none if there is nothing.
fn remaining(name: SideName, weak: &Ran, strong: &Ran) -> Option<Left> {
    let (weak, strong) = (weak.side(), strong.side());
    let found = only(name, &weak, &strong);
    let all: Vec<String> = found.iter().map(|difference| difference.text.clone()).collect();
    let example = found.iter().find_map(|d| Some((d.text.clone(), d.witness?.clone())));
    (!all.is_empty()).then_some(Left { all, example })
}

/// A check of the weaker side with fences.
enum Again {
    /// It says nothing, for this reason.
    Stopped(&'static str),
    /// This is left.
    Left(Box<Left>),
    /// Nothing is left.
    Agrees { executions: u64 },
}

/// Add fences until nothing is left of the difference, then leave out those that are not needed.
fn settle(
    found: &mut Robustness,
    model: Model,
    mut left: Left,
    mut rerun: impl FnMut(&[Fence]) -> Result<Again, Refusal>,
) -> Result<(), Refusal> {
    let mut executions = loop {
        if let Err(reason) = explain(found, model, &left) {
            found.answer = FenceAnswer::Open { reason, left: left.all };
            return Ok(());
        }
        match rerun(&found.fences)? {
            Again::Agrees { executions } => break executions,
            Again::Left(more) => left = *more,
            Again::Stopped(reason) => {
                found.answer = open(reason);
                return Ok(());
            }
        }
    };
    let mut at = 0;
    while at < found.fences.len() && found.fences.len() > 1 {
        let mut fewer = found.fences.clone();
        fewer.remove(at);
        match rerun(&fewer)? {
            Again::Agrees { executions: now } => {
                executions = now;
                found.fences = fewer;
            }
            Again::Left(_) => at += 1,
            Again::Stopped(reason) => {
                found.answer = open(reason);
                return Ok(());
            }
        }
    }
    found.answer = FenceAnswer::Agree { executions };
    Ok(())
}

/// Find out why an execution is not one of sc, and add fences against that; or say why that cannot be done.
fn explain(found: &mut Robustness, model: Model, left: &Left) -> Result<(), String> {
    let Some((shows, witness)) = left.example.clone() else {
        return Err("there are too many states or outcomes to keep an execution for each".to_string());
    };
    let Some(circle) = circle(&witness, model) else {
        return Err(format!("no circle was found in the execution with {shows}"));
    };
    let before = found.fences.clone();
    let placed = place(&mut found.fences, &witness, &circle);
    found.explained.push(Explained { shows, witness, circle });
    match placed {
        false => Err("a store that is overtaken has no place in the source".to_string()),
        true if found.fences.len() > MAX_FENCES => Err(format!("more than {MAX_FENCES} fences are needed")),
        true if found.fences == before => Err("no more fences can be placed".to_string()),
        true => Ok(()),
    }
}

/// Add a fence for each delayed store of a circle. False if there is no place for one.
fn place(fences: &mut Vec<Fence>, witness: &Witness, circle: &Circle) -> bool {
    let event = |id: EventId| &witness.threads[id.thread()].events[id.index() as usize];
    for &Delayed { past, last_store, .. } in &circle.delayed {
        let (site, before) = (event(last_store).site, event(past).site);
        if site == SiteId::NONE {
            return false;
        }
        let order = if event(past).kind == EventKind::Read { Order::SeqCst } else { Order::Release };
        match fences.iter_mut().find(|fence| fence.fence.site == site) {
            Some(there) if order == Order::SeqCst => there.fence.order = order,
            Some(_) => {}
            None => fences.push(Fence { fence: FenceAfter { site, order }, before }),
        }
    }
    true
}
