//! All runs with at most so many preemptions: first those with none, then those with one, and so on.
//!
//! A preemption is a switch from a thread that could go on to another one. Flushes belong to no thread: they may come at
//! any time. A thread whose next step would only make it wait in a loop cannot go on.
//!
//! Source sets and sleep sets are not used here: the run that they leave of a class may need more preemptions than another
//! one. Instead a state is not visited again with the same thread at work. Equal histories of threads and memory make equal
//! states, so what follows is the same; and since runs are made in the order of their preemptions, the first visit
//! has as many left as any other.

use rustc_hash::FxHashSet;

use super::Search;
use super::access::AccessKind;
use super::machine::Buffers;
use crate::graph::Kind;
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::{Outcome, StopReason};
use crate::program::Program;
use crate::run::lock_table::RestartReason;
use crate::search::random::Random;
use crate::search::restart::Knowledge;
use crate::settings::Settings;

/// Search runs with no preemption, then those with one, up to `bound`.
pub(super) fn search<P: Program>(
    program: &P,
    settings: &Settings,
    buffers: Buffers,
    bound: u32,
    knowledge: &Knowledge,
    observer: &mut dyn Observer<P>,
) -> (Outcome, Option<RestartReason>) {
    // Rows are for races, which nobody asks for here.
    let plain = &Settings { reduction: false, ..settings.clone() };
    let mut search = Search::new(program, plain, buffers, knowledge, observer);
    let mut bounded = Bounded { reduces: settings.reduction, ..Bounded::default() };
    let mut covered = None;
    if search.begin_run() {
        bounded.postponed.push(ROOT);
        for round in 0..=bound {
            bounded.is_last = round == bound;
            for place in std::mem::take(&mut bounded.postponed) {
                search.explore_from(place, &mut bounded);
                if search.ledger.stopped.is_some() {
                    break;
                }
            }
            if search.ledger.stopped.is_some() {
                break;
            }
            covered = Some(round);
            if bounded.postponed.is_empty() {
                // No run needs more.
                covered = Some(bound);
                break;
            }
        }
        search.ledger.stop(StopReason::Preemptions);
    }
    let restart = search.run.tables.restart;
    let classes = search.classes.as_ref().map(super::Classes::count);
    (Outcome { classes, preemptions: covered, ..search.ledger.into_outcome() }, restart)
}

/// Where no step was made.
const ROOT: u32 = u32::MAX;

/// A step on the way to a state that was postponed: with the steps before it, a way from the beginning.
struct Place {
    before: u32,
    process: u32,
    alternative: u64,
}

/// A state on the way, and what is left to try there.
#[derive(Default)]
struct Frame {
    /// The step that led here, as a place; [`ROOT`] if nothing needed it yet.
    place: u32,
    /// The thread at work: the one that made the last step that was no flush.
    at_work: Option<u32>,
    /// What the history amounts to, in all likelihood no other history to the same.
    history: u128,
    /// Steps of the thread at work, then flushes, then from `others` on those of other threads.
    choices: Vec<(u32, u64)>,
    others: usize,
    next: usize,
    /// The thread at work cannot go on: to switch is no preemption.
    is_free: bool,
}

#[derive(Default)]
struct Bounded {
    reduces: bool,
    /// No more preemptions are allowed than there were.
    is_last: bool,
    seen: FxHashSet<u128>,
    places: Vec<Place>,
    /// Steps that are preemptions.
    postponed: Vec<u32>,
    frames: Vec<Frame>,
}

impl Bounded {
    /// The place of the state at this depth.
    fn place(&mut self, depth: usize, steps: &[(u32, u64)]) -> u32 {
        let known = (0..=depth).rev().find(|&at| at == 0 || self.frames[at].place != ROOT).unwrap_or(0);
        let mut before = self.frames[known].place;
        for (at, &(process, alternative)) in steps.iter().enumerate().take(depth).skip(known) {
            self.places.push(Place { before, process, alternative });
            before = self.places.len() as u32 - 1;
            self.frames[at + 1].place = before;
        }
        before
    }
}

impl<P: Program> Search<'_, P> {
    /// Explore what follows a place, without further preemptions.
    fn explore_from(&mut self, place: u32, bounded: &mut Bounded) {
        while !self.steps.is_empty() {
            self.unmake();
        }
        bounded.frames.clear();
        bounded.frames.push(Frame { place: ROOT, ..Frame::default() });
        // The steps of this run, with their alternatives.
        let mut made: Vec<(u32, u64)> = Vec::new();
        let mut way = Vec::new();
        let mut at = place;
        while at != ROOT {
            way.push(at);
            at = bounded.places[at as usize].before;
        }
        for &at in way.iter().rev() {
            let Place { process, alternative, .. } = bounded.places[at as usize];
            made.push((process, alternative));
            if !self.step_into(process, alternative, bounded) {
                return;
            }
            bounded.frames[made.len()].place = at;
        }
        if !self.open(bounded) {
            return;
        }
        let root = made.len();
        while self.ledger.stopped.is_none() {
            self.ledger.work(1);
            let depth = made.len();
            let frame = &mut bounded.frames[depth];
            if frame.next == frame.others && !frame.is_free {
                let left = frame.choices.split_off(frame.others);
                if !bounded.is_last && !left.is_empty() {
                    let before = bounded.place(depth, &made);
                    for (process, alternative) in left {
                        bounded.places.push(Place { before, process, alternative });
                        bounded.postponed.push(bounded.places.len() as u32 - 1);
                    }
                }
            }
            let frame = &mut bounded.frames[depth];
            let Some(&(process, alternative)) = frame.choices.get(frame.next) else {
                if depth == root {
                    return;
                }
                bounded.frames.pop();
                made.pop();
                self.unmake();
                continue;
            };
            frame.next += 1;
            made.push((process, alternative));
            if !self.step_into(process, alternative, bounded) {
                return;
            }
            if !self.open(bounded) {
                bounded.frames.pop();
                made.pop();
                self.unmake();
            }
        }
    }

    /// Make a step; a frame for the state that it leads to. False if the search has to stop.
    fn step_into(&mut self, process: u32, alternative: u64, bounded: &mut Bounded) -> bool {
        let access = self.next_access(process).expect("what is to be tried is possible");
        let events = self.graph.len();
        if !self.make(process, access, alternative) {
            return false;
        }
        let frame = bounded.frames.last_mut().expect("the frame of the state before");
        let is_flush = access.kind == AccessKind::Flush;
        frame.is_free |= frame.at_work == Some(access.thread) && self.only_waits();
        let at_work = if is_flush { frame.at_work } else { Some(access.thread) };
        let history = frame.history.wrapping_add(self.new_history(events, is_flush));
        bounded.frames.push(Frame { place: ROOT, at_work, history, ..Frame::default() });
        true
    }

    /// What the last step adds to the history: all that threads did since there were so many events.
    fn new_history(&self, events: usize, is_flush: bool) -> u128 {
        let mut sum = 0_u128;
        let named = |id: EventId| u64::from(id.thread() as u32) << 32 | u64::from(id.index());
        if is_flush && let Some(step) = self.steps.last() {
            let place = u64::from(self.graph.event(step.event).write_index);
            sum = sum.wrapping_add(number(&[u64::MAX, named(step.event), place]));
        }
        for &id in &self.graph.order[events..] {
            let event = self.graph.event(id);
            let source = if event.kind.reads() && !event.rf.is_init() { named(event.rf) } else { u64::MAX };
            let what = (event.kind as u64) << 16 | (event.tag as u64) << 8 | event.order as u64;
            let (loc, place) = (u64::from(event.loc), u64::from(event.write_index));
            let words = [named(id), what, loc << 32 | place, event.read, event.written, source];
            sum = sum.wrapping_add(number(&words));
            if event.kind == Kind::Lock {
                // The order of critical sections is part of a run.
                let past = self.graph.porf(id).iter().enumerate().filter(|(_, count)| **count > 0);
                for (thread, &count) in past {
                    sum = sum.wrapping_add(number(&[named(id), thread as u64, u64::from(count)]));
                }
            }
        }
        sum
    }

    /// A state was reached: what can be done there? False if all that follows was seen, or if nothing does.
    fn open(&mut self, bounded: &mut Bounded) -> bool {
        let frame = bounded.frames.last_mut().expect("the frame of this state");
        let at_work = frame.at_work.map_or(0, |thread| u128::from(thread) + 1);
        let key = frame.history.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ at_work;
        let key = if Mutant::WorkerForgotten.is_active() { frame.history } else { key };
        if bounded.reduces && !bounded.seen.insert(key) {
            self.ledger.counts.redundant += 1;
            return false;
        }
        let (mut own, mut flushes, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for process in 0..self.machine.processes.len() as u32 {
            let Some(access) = self.next_access(process) else { continue };
            let list = match access.kind {
                AccessKind::Flush => &mut flushes,
                _ if frame.at_work == Some(access.thread) => &mut own,
                _ => &mut others,
            };
            list.extend((0..self.alternatives(process)).map(|alternative| (process, alternative)));
        }
        frame.is_free |= own.is_empty();
        frame.choices = own;
        frame.choices.append(&mut flushes);
        frame.others = frame.choices.len();
        frame.choices.append(&mut others);
        if frame.choices.is_empty() {
            self.leaf();
            return false;
        }
        true
    }
}

/// A number for some words that in all likelihood no others have.
fn number(words: &[u64]) -> u128 {
    let lane = |start: u64| {
        let mix = |hash: u64, &word: &u64| Random::new(hash ^ word).next();
        u128::from(words.iter().fold(start, mix))
    };
    lane(0x243f_6a88_85a3_08d3) << 64 | lane(0x1319_8a2e_0370_7344)
}
