//! Brute force: every execution of a small program under all models, by trying everything.
//!
//! Each thread's runs over all values anybody could write; all combinations of runs; all ways to give each read a
//! write of its value; all coherence orders; then the axioms, written as the papers write them. Shares no code with
//! the engine but the words for orders and event kinds.

mod axioms;
mod buffers;
pub(crate) mod coherence;
pub(crate) mod demands;
pub(crate) mod frame;
pub mod memory;
pub(crate) mod sections;
mod seq_cst;
pub(crate) mod traces;
mod whole;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Code;
use crate::graph::{Coherence, End, EventKind, Graph, Models, Source, State};
use crate::program::TestProgram;
use crate::relation::{Rel, Set};
use axioms::ReleaseSequence;
use coherence::{Links, PlaceOrder, allowed_alone, place_orders};
use demands::Demands;
use frame::Frame;
use memory::Mistakes;
use raveler_core::Model;
use seq_cst::SeqCst;
use traces::{Locks, Step, Trace};
use whole::Whole;

/// Why a program was not judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skip {
    /// A thread has too many runs.
    Traces,
    /// Too many combinations of runs.
    Combinations,
    /// Too many candidate graphs.
    Candidates,
    /// Too many events for a relation.
    Events,
    /// A thread releases a lock that it does not hold.
    Misuse,
    /// Values may grow without end.
    Values,
}

/// How much work a program may cost before it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs of one thread.
    pub traces: usize,
    /// Combinations of runs looked at.
    pub combinations: u64,
    /// Graphs looked at: choices of writes for all reads, times coherence orders.
    pub candidates: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { traces: 1000, combinations: 300_000, candidates: 15_000 }
    }
}

/// An execution that some model allows.
#[derive(Clone, Debug)]
pub struct Found {
    /// Events and who read from whom.
    pub graph: Graph,
    /// The models that allow it with some coherence order.
    pub models: Models,
    /// The coherence orders, each with the models that allow it.
    pub orders: Vec<(Coherence, Models)>,
    /// The most stores that one buffer could hold: one per thread, and one per thread and location.
    pub held: [usize; 2],
}

/// What brute force found out about a program.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Complete executions and blocked ones.
    pub found: Vec<Found>,
    /// How complete executions can end.
    pub states: FxHashMap<State, Models>,
    /// The models (RC11, RC20) under which some execution, complete or blocked, has a race.
    pub races: Models,
    /// The models under which some execution is blocked.
    pub blocked: Models,
    /// The models under which threads can wait for locks or for values that never come, and all others ended, wait for
    /// threads, or are stuck at an assumption.
    pub waits_for_good: Models,
    /// The same, in an execution where no assumption and no assertion failed.
    pub deadlocks: Models,
    /// The assertions that can fail, by the number of their statement.
    pub failures: FxHashMap<u32, Models>,
    /// What can be wrong with the use of allocated memory.
    pub mistakes: Mistakes,
    /// Do threads wait for condition variables?
    pub signals: bool,
    /// How many graphs were looked at.
    pub candidates: u64,
    /// How many stores a store buffer holds, if that was bounded.
    pub room: Option<u32>,
}

impl Judged {
    /// The number of complete executions under `rf`.
    pub fn classes(&self, model: Model) -> usize {
        self.complete().filter(|found| found.models.has(model)).count()
    }

    /// The number of complete executions under `co`.
    pub fn executions(&self, model: Model) -> usize {
        self.complete().flat_map(|found| &found.orders).filter(|(_, models)| models.has(model)).count()
    }

    /// The ways complete executions can end under a model.
    pub fn states(&self, model: Model) -> FxHashSet<State> {
        self.states.iter().filter(|(_, models)| models.has(model)).map(|(state, _)| state.clone()).collect()
    }

    /// The assertions that can fail under a model.
    pub fn failures(&self, model: Model) -> FxHashSet<u32> {
        self.failures.iter().filter(|(_, models)| models.has(model)).map(|(&site, _)| site).collect()
    }

    fn complete(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.graph.complete())
    }
}

/// Finds every execution of the program under every model. Locks are places of memory: the order of critical sections
/// is part of reads-from.
pub fn judge(program: &TestProgram, limits: Limits) -> Result<Judged, Skip> {
    let locks = if program.has_read_locks() { Locks::Sections } else { Locks::Words };
    judge_with(program, limits, locks, None)
}

/// The same where a store buffer holds so many stores: TSO and PSO are bounded, nothing else changes.
pub fn judge_bounded(program: &TestProgram, limits: Limits, room: u32) -> Result<Judged, Skip> {
    let locks = if program.has_read_locks() { Locks::Sections } else { Locks::Words };
    judge_with(program, limits, locks, Some(room))
}

/// The same with critical sections as such, every order of them tried: an execution is found once for each order that
/// allows it. Locks are tried here only
/// where readers can share some.
pub fn judge_sections(program: &TestProgram, limits: Limits) -> Result<Judged, Skip> {
    judge_with(program, limits, Locks::Sections, None)
}

fn judge_with(
    program: &TestProgram,
    limits: Limits,
    locks: Locks,
    room: Option<u32>,
) -> Result<Judged, Skip> {
    let code = Code::new(program);
    let mut runs = traces::traces(&code, limits.traces, locks)?;
    for (thread, list) in runs.iter_mut().enumerate() {
        if code.spawned[thread] {
            list.push(Trace::absent());
        }
    }
    let demands = Demands::new(&code, &runs)?;
    let result = Judged { signals: program.has_conditions(), room, ..Judged::default() };
    let mut search = Search { code: &code, runs: &runs, demands, limits, combinations: 0, result };
    search.combine(&mut Vec::new(), 0, 0)?;
    Ok(search.result)
}

struct Search<'a> {
    code: &'a Code,
    runs: &'a [Vec<Trace>],
    demands: Demands,
    limits: Limits,
    combinations: u64,
    result: Judged,
}

impl Search<'_> {
    /// Chooses a run for each further thread.
    fn combine(&mut self, chosen: &mut Vec<usize>, needs: u128, provides: u128) -> Result<(), Skip> {
        let thread = chosen.len();
        if thread == self.runs.len() {
            return self.combination(chosen);
        }
        for run in 0..self.runs[thread].len() {
            self.combinations += 1;
            if self.combinations > self.limits.combinations {
                return Err(Skip::Combinations);
            }
            let needs = needs | self.demands.needs[thread][run];
            let provides = provides | self.demands.provides[thread][run];
            if needs & !(provides | self.demands.later[thread + 1]) == 0 {
                chosen.push(run);
                self.combine(chosen, needs, provides)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn combination(&mut self, chosen: &[usize]) -> Result<(), Skip> {
        let traces: Vec<&Trace> = chosen.iter().zip(self.runs).map(|(&run, list)| &list[run]).collect();
        if !fits(self.code, &traces) {
            return Ok(());
        }
        let frame = Frame::new(self.code, &traces).ok_or(Skip::Events)?;
        if frame.reads.iter().any(|read| read.candidates.is_empty()) {
            return Ok(());
        }
        for order in sections::orders(&frame) {
            let mut frame = frame.clone();
            for (unlock, lock) in order {
                frame.asw.insert(unlock, lock);
            }
            frame.order = (frame.po | frame.asw).plus();
            if !frame.order.irreflexive() {
                continue;
            }
            let room = self.result.room;
            let fixed = Fixed { tso: axioms::tso_order(&frame, room), pso: axioms::pso_order(&frame, room) };
            let mut sources = vec![0; frame.reads.len()];
            let before = frame.order;
            self.read_from(&traces, &frame, &fixed, &mut sources, 0, Set::default(), before)?;
        }
        Ok(())
    }

    /// Gives each further read a write. `updated`: the writes that an update reads; no two updates read the same.
    /// `before`: `(po ∪ asw ∪ rf)⁺` so far, which must stay acyclic.
    #[allow(clippy::too_many_arguments)]
    fn read_from(
        &mut self,
        traces: &[&Trace],
        frame: &Frame,
        fixed: &Fixed,
        sources: &mut Vec<usize>,
        next: usize,
        updated: Set,
        before: Rel,
    ) -> Result<(), Skip> {
        let Some(read) = frame.reads.get(next) else {
            return self.candidate(traces, frame, fixed, sources);
        };
        for &write in &read.candidates {
            if before.has(read.event, write) {
                continue;
            }
            let mut updated = updated;
            if read.update.is_some() {
                if updated.has(write) {
                    continue;
                }
                updated.insert(write);
            }
            sources[next] = write;
            let mut before = before;
            before.insert_closed(write, read.event);
            self.read_from(traces, frame, fixed, sources, next + 1, updated, before)?;
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), Skip> {
        self.result.candidates += 1;
        if self.result.candidates > self.limits.candidates { Err(Skip::Candidates) } else { Ok(()) }
    }

    /// All reads have a write: tries all coherence orders.
    fn candidate(
        &mut self,
        traces: &[&Trace],
        frame: &Frame,
        fixed: &Fixed,
        sources: &[usize],
    ) -> Result<(), Skip> {
        self.count()?;
        let mut rf = Rel::EMPTY;
        for (read, &write) in frame.reads.iter().zip(sources) {
            rf.insert(write, read.event);
        }
        let mut places = Vec::new();
        for place in 0..frame.places {
            let orders = place_orders(frame, &rf, sources, place);
            if orders.is_empty() {
                return Ok(());
            }
            places.push(orders);
        }
        let hb = [ReleaseSequence::SameThread, ReleaseSequence::UpdatesOnly]
            .map(|kind| axioms::happens_before(frame, &rf, kind));
        for order in places.iter_mut().flatten() {
            order.models = allowed_alone(frame, &rf, &order.links, &hb);
        }
        let rfe = rf - frame.int;
        let whole = Whole {
            frame,
            sc: axioms::sc(frame, &rf),
            tso: fixed.tso | rfe,
            pso: fixed.pso | rfe,
            scb: axioms::scb_base(frame, &hb[0]),
            seq_cst: (!frame.sc.is_empty() && !axioms::race(frame, &hb[1]))
                .then(|| SeqCst::new(frame, &rf, &hb[1])),
            rf,
            hb,
        };
        let mut orders = Vec::new();
        self.product(&whole, &places, &mut Vec::new(), Links::NONE, Models::ALL, &mut orders)?;
        if orders.is_empty() {
            return Ok(());
        }
        self.record(traces, frame, sources, &whole, &places, orders);
        Ok(())
    }

    /// Chooses an order for each further place, then asks the models that look at all places together.
    fn product(
        &mut self,
        whole: &Whole<'_>,
        places: &[Vec<PlaceOrder>],
        chosen: &mut Vec<usize>,
        links: Links,
        models: Models,
        out: &mut Vec<(Vec<usize>, Models)>,
    ) -> Result<(), Skip> {
        let Some(orders) = places.get(chosen.len()) else {
            self.count()?;
            let models = whole.allowed(&links, models);
            if !models.is_empty() {
                out.push((chosen.clone(), models));
            }
            return Ok(());
        };
        for (index, order) in orders.iter().enumerate() {
            chosen.push(index);
            let models = Models(models.0 & order.models.0);
            self.product(whole, places, chosen, links.with(&order.links), models, out)?;
            chosen.pop();
        }
        Ok(())
    }

    fn record(
        &mut self,
        traces: &[&Trace],
        frame: &Frame,
        sources: &[usize],
        whole: &Whole<'_>,
        places: &[Vec<PlaceOrder>],
        orders: Vec<(Vec<usize>, Models)>,
    ) {
        let graph = graph(self.code, traces, frame, sources);
        let complete = graph.complete();
        let held = [buffers::of_thread(frame), frame.loc].map(|buffer| buffers::most_held(frame, buffer));
        let mut found = Found { graph, models: Models::default(), orders: Vec::new(), held };
        for (chosen, models) in orders {
            let picked = || chosen.iter().zip(places).map(|(&index, orders)| &orders[index]);
            found.models = found.models.or(models);
            found.orders.push((
                picked()
                    .take(self.code.init.len() + self.code.locks)
                    .map(|order| order.writes.iter().map(|&write| frame.names[write]).collect())
                    .collect(),
                models,
            ));
            if complete {
                let mut state = State::new();
                for (trace, &used) in traces.iter().zip(&self.code.registers) {
                    state.extend(&trace.registers[..used]);
                }
                state.extend(self.code.lasting().map(|place| places[place][chosen[place]].last));
                let entry = self.result.states.entry(state).or_default();
                *entry = entry.or(models);
            }
        }
        self.result.mistakes.note(whole, sources, found.models);
        self.result.mistakes.note_waits(self.code, frame, traces, found.models);
        for site in traces.iter().filter_map(|trace| trace.failed) {
            let entry = self.result.failures.entry(site).or_default();
            *entry = entry.or(found.models);
        }
        self.note(&found, complete, whole);
        self.result.found.push(found);
    }

    fn note(&mut self, found: &Found, complete: bool, whole: &Whole<'_>) {
        let result = &mut self.result;
        for (model, hb) in [Model::Rc11, Model::Rc20].into_iter().zip(&whole.hb) {
            if found.models.has(model) && !result.races.has(model) && axioms::race(whole.frame, hb) {
                result.races.add(model);
            }
        }
        if complete {
            return;
        }
        result.blocked = result.blocked.or(found.models);
        for (order, models) in &found.orders {
            if waits_for_good(&found.graph, order) {
                result.waits_for_good = result.waits_for_good.or(*models);
                let others = found.graph.ends.iter().any(|end| matches!(end, End::Assume | End::Failed));
                if !others {
                    result.deadlocks = result.deadlocks.or(*models);
                }
            }
        }
    }
}

/// Does some thread wait for a lock or a value, and does no write come that a waiting thread has not seen?
fn waits_for_good(graph: &Graph, order: &Coherence) -> bool {
    graph.ends.iter().any(|end| matches!(end, End::Lock | End::Condition)) && see_the_last(graph, order)
}

/// Does every thread that waits for a value see the last write?
pub fn see_the_last(graph: &Graph, order: &Coherence) -> bool {
    let sees_the_last = |thread: usize| {
        let read = graph.threads[thread].last().expect("a thread waits for what it read");
        let place = read.place.expect("it read from memory") as usize;
        read.source == Some(order[place].last().copied().unwrap_or(Source::Init))
    };
    (0..graph.ends.len()).all(|thread| graph.ends[thread] != End::Condition || sees_the_last(thread))
}

/// Do these runs agree on who was spawned, who ended before a join, and which locks are held?
pub(crate) fn fits(code: &Code, traces: &[&Trace]) -> bool {
    let done = |child: u8| traces[child as usize].end == End::Done;
    let spawned = |child: usize| traces.iter().any(|trace| trace.spawns.contains(&(child as u8)));
    let held = |lock: u8, shared: bool| {
        let place = Some(code.lock_place(lock));
        traces.iter().any(|trace| {
            let at = |step: &Step| step.event.place.map(|place| code.without_holder(place));
            let steps = || trace.steps.iter().filter(|step| at(step) == place);
            let count = |kind| steps().filter(|step| step.event.kind == kind).count();
            let last = steps().rfind(|step| step.event.kind == EventKind::Lock);
            count(EventKind::Lock) > count(EventKind::Unlock)
                && last.is_some_and(|last| !(shared && last.shared))
        })
    };
    traces.iter().enumerate().all(|(thread, trace)| {
        (!code.spawned[thread] || spawned(thread) == (trace.end != End::Absent))
            && trace.joins.iter().all(|&child| done(child))
            && match trace.end {
                End::Join => !done(trace.waits_for),
                End::Lock => held(trace.waits_for, trace.waits_shared),
                _ => true,
            }
    })
}

/// Relations that depend on the runs only.
struct Fixed {
    tso: Rel,
    pso: Rel,
}

/// The execution in the form in which it is compared.
pub(crate) fn graph(code: &Code, traces: &[&Trace], frame: &Frame, sources: &[usize]) -> Graph {
    let mut threads: Vec<Vec<_>> =
        traces.iter().map(|trace| trace.steps.iter().map(|step| step.event).collect()).collect();
    for (read, &source) in frame.reads.iter().zip(sources) {
        let Source::Event(thread, index) = frame.names[read.event] else { continue };
        threads[thread as usize][index as usize].source = Some(frame.names[source]);
    }
    for event in threads.iter_mut().flatten() {
        if matches!(event.kind, EventKind::Lock | EventKind::Unlock | EventKind::LockFailed) {
            event.read = None;
            event.written = None;
            event.place = event.place.map(|place| code.without_holder(place));
        }
    }
    Graph { threads, ends: traces.iter().map(|trace| trace.end).collect() }
}
