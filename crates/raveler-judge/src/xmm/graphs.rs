//! All consistent graphs of a program in which every thread has ended or is stuck, cyclic ones too.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Limits;
use super::parts::{self, Events, Key, Labels, NONE, Part, Relations};
use super::relations::{self, follows, happens_before, has_lb_race, psc_acyclic, races, races_along};
use crate::brute::coherence::{Links, PlaceOrder, place_orders};
use crate::brute::demands::Demands;
use crate::brute::frame::Frame;
use crate::brute::sections;
use crate::brute::traces::{self, Locks, Trace};
use crate::brute::{Skip, fits, graph};
use crate::code::Code;
use crate::graph::{Coherence, End, Event, EventKind, Graph, Source};
use crate::program::TestProgram;
use crate::relation::{Rel, Set};

/// The end of a section and a lock that follows it, by the names of events.
pub type Follows = Rc<Vec<(Source, Source)>>;

/// A consistent graph.
pub struct Found {
    /// Its form in which executions are compared.
    pub graph: Rc<Graph>,
    /// The coherence order by the names of events.
    pub coherence: Coherence,
    /// What locks follow that are no places of memory.
    pub follows: Follows,
    /// Has it a load-buffering race?
    pub lb_race: bool,
    /// Has it one if strong accesses count, too?
    pub any_lb_race: bool,
    /// Its form in which graphs are matched.
    pub part: Part,
    /// What leads into a cycle of `po ∪ rf`, if there is one.
    pub core: Option<usize>,
}

/// All of them.
#[derive(Default)]
pub struct Graphs {
    /// The graphs.
    pub leaves: Vec<Found>,
    /// Their cores, each once.
    pub cores: Vec<Part>,
    /// All parts of them, each once, if they are asked for.
    pub parts: Vec<Part>,
    /// Are these all values that threads can write?
    pub closed: bool,
}

/// What else is asked for.
#[derive(Clone, Copy, Default)]
pub struct Ways {
    /// All parts of all graphs.
    pub parts: bool,
    /// Threads that stop between the halves of an update.
    pub halves: bool,
    /// Values that passed through twice as many reads as there are.
    pub twice: bool,
}

/// Finds all consistent graphs.
pub fn graphs(program: &TestProgram, limits: Limits, ways: Ways) -> Result<Graphs, Skip> {
    let code = Code::new(program);
    let locks = if program.has_read_locks() { Locks::Sections } else { Locks::Words };
    let rounds = traces::reads(&code) * if ways.twice { 2 } else { 1 } + usize::from(ways.twice);
    let (mut runs, closed) = traces::traces_of(&code, limits.traces, locks, rounds)?;
    for (thread, list) in runs.iter_mut().enumerate() {
        if ways.halves {
            add_halves(list);
        }
        if code.spawned[thread] {
            list.push(Trace::absent());
        }
    }
    let demands = Demands::new(&code, &runs)?;
    let mut search = Search {
        code: &code,
        runs: &runs,
        demands,
        limits,
        combinations: 0,
        candidates: 0,
        labels: Labels::default(),
        known_cores: FxHashMap::default(),
        known_parts: ways.parts.then(FxHashSet::default),
        found: Graphs { closed, ..Graphs::default() },
    };
    search.combine(&mut Vec::new(), 0, 0)?;
    Ok(search.found)
}

/// Adds the runs that end with the read half of an update.
fn add_halves(runs: &mut Vec<Trace>) {
    let mut known = FxHashSet::default();
    for run in 0..runs.len() {
        for last in 0..runs[run].steps.len() {
            let Trace { steps, .. } = &runs[run];
            if steps[last].event.read.is_none() || steps[last].event.written.is_none() {
                continue;
            }
            let mut steps = steps[..=last].to_vec();
            steps[last].event.written = None;
            let count = |kind| steps.iter().filter(|step| step.event.kind == kind).count();
            let spawns = runs[run].spawns[..count(EventKind::Spawn)].to_vec();
            let joins = runs[run].joins[..count(EventKind::Join)].to_vec();
            let events: Vec<Event> = steps.iter().map(|step| step.event).collect();
            if known.insert((events, spawns.clone(), joins.clone())) {
                runs.push(Trace { steps, end: End::Condition, spawns, joins, ..Trace::absent() });
            }
        }
    }
}

struct Search<'a> {
    code: &'a Code,
    runs: &'a [Vec<Trace>],
    demands: Demands,
    limits: Limits,
    combinations: u64,
    candidates: u64,
    labels: Labels,
    known_cores: FxHashMap<Key, usize>,
    known_parts: Option<FxHashSet<Key>>,
    found: Graphs,
}

/// One choice of runs.
struct Chosen<'a> {
    traces: &'a [&'a Trace],
    frame: &'a Frame,
    events: &'a Events,
    /// What locks follow, in one order of the sections.
    follows: Rel,
}

/// The same with a write for each read.
struct Whole<'a> {
    chosen: &'a Chosen<'a>,
    graph: Rc<Graph>,
    relations: Relations,
    lb_race: bool,
    any_lb_race: bool,
    /// What leads into a cycle.
    core: Set,
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
        let mut frame = Frame::new(self.code, &traces).ok_or(Skip::Events)?;
        for section in &frame.sections {
            frame.acq.insert(section.lock);
            if let Some(unlock) = section.unlock {
                frame.rel.insert(unlock);
            }
        }
        // A thread that is spawned by what comes after its join is no thread.
        if !frame.order.irreflexive() || frame.reads.iter().any(|read| read.candidates.is_empty()) {
            return Ok(());
        }
        let events = Events::new(&frame, &traces, &mut self.labels);
        for order in sections::orders(&frame) {
            let follows = follows(&frame, &order);
            let chosen = Chosen { traces: &traces, frame: &frame, events: &events, follows };
            self.read_from(&chosen, &mut Vec::new(), Set::default())?;
        }
        Ok(())
    }

    /// Gives each further read a write. `updated`: the writes that an update reads; no two updates read the same.
    fn read_from(&mut self, chosen: &Chosen<'_>, sources: &mut Vec<usize>, updated: Set) -> Result<(), Skip> {
        let Some(read) = chosen.frame.reads.get(sources.len()) else {
            return self.candidate(chosen, sources);
        };
        for &write in &read.candidates {
            let mut updated = updated;
            // What is after a read, by spawns and joins too, it cannot see.
            if chosen.frame.order.has(read.event, write) || read.update.is_some() && updated.has(write) {
                continue;
            }
            if read.update.is_some() {
                updated.insert(write);
            }
            sources.push(write);
            self.read_from(chosen, sources, updated)?;
            sources.pop();
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), Skip> {
        self.candidates += 1;
        if self.candidates > self.limits.candidates { Err(Skip::Candidates) } else { Ok(()) }
    }

    /// All reads have a write: tries all coherence orders.
    fn candidate(&mut self, chosen: &Chosen<'_>, sources: &[usize]) -> Result<(), Skip> {
        self.count()?;
        let frame = chosen.frame;
        let mut rf = Rel::EMPTY;
        let mut read_by = vec![NONE; frame.names.len()];
        for (read, &write) in frame.reads.iter().zip(sources) {
            rf.insert(write, read.event);
            read_by[read.event] = write as u8;
        }
        let hb = happens_before(frame, &rf, &chosen.follows);
        if !hb.irreflexive() {
            return Ok(());
        }
        let mut places = Vec::new();
        for place in 0..frame.places {
            let mut orders = place_orders(frame, &rf, sources, place);
            orders.retain(|order| (hb >> order.links.eco).irreflexive());
            if orders.is_empty() {
                return Ok(());
            }
            places.push(orders);
        }
        let races = races(frame, &hb);
        let before = frame.order | rf | chosen.follows;
        let porf = before.plus();
        let along = races_along(frame, &races, &porf);
        let whole = Whole {
            chosen,
            graph: Rc::new(graph(self.code, chosen.traces, frame, sources)),
            lb_race: has_lb_race(frame, &along),
            any_lb_race: !along.is_empty(),
            core: parts::core(frame, &porf),
            relations: Relations {
                sources: read_by,
                porf,
                hb,
                follows: chosen.follows,
                causes: before | (races & (frame.w * frame.r)),
            },
        };
        self.product(&whole, &places, &mut Vec::new(), Links::NONE)
    }

    /// Chooses an order for each further place.
    fn product(
        &mut self,
        whole: &Whole<'_>,
        places: &[Vec<PlaceOrder>],
        chosen: &mut Vec<usize>,
        links: Links,
    ) -> Result<(), Skip> {
        let Some(orders) = places.get(chosen.len()) else {
            self.count()?;
            let frame = whole.chosen.frame;
            if frame.sc.is_empty() || psc_acyclic(frame, &whole.relations.hb, &links.eco) {
                self.record(whole, places, chosen, &links)?;
            }
            return Ok(());
        };
        for (index, order) in orders.iter().enumerate() {
            chosen.push(index);
            self.product(whole, places, chosen, links.with(&order.links))?;
            chosen.pop();
        }
        Ok(())
    }

    fn record(
        &mut self,
        whole: &Whole<'_>,
        places: &[Vec<PlaceOrder>],
        chosen: &[usize],
        links: &Links,
    ) -> Result<(), Skip> {
        if self.found.leaves.len() >= self.limits.graphs {
            return Err(Skip::Candidates);
        }
        let &Whole { chosen: &Chosen { frame, events, .. }, core, ref relations, .. } = whole;
        let named = |(&index, orders): (&usize, &Vec<PlaceOrder>)| {
            orders[index].writes.iter().map(|&write| frame.names[write]).collect()
        };
        let places_seen = self.code.init.len() + self.code.locks;
        let coherence = chosen.iter().zip(places).take(places_seen).map(named).collect();
        let key = |set: Set| parts::key(frame, events, set, relations, &links.co);
        let part = |set: Set| parts::part(key(set), frame, events, set, relations);
        let core = (!core.is_empty()).then(|| {
            *self.known_cores.entry(key(core)).or_insert_with(|| {
                self.found.cores.push(part(core));
                self.found.cores.len() - 1
            })
        });
        let all = relations::real(frame);
        if let Some(known) = &mut self.known_parts {
            let mut waiting = vec![all];
            while let Some(set) = waiting.pop() {
                if !known.insert(key(set)) {
                    continue;
                }
                self.found.parts.push(part(set));
                let before = |event: usize| {
                    let removed =
                        set.iter().filter(|&other| other == event || relations.porf.has(event, other));
                    removed.fold(set, |left, other| Set(left.0 & !(1 << other)))
                };
                waiting.extend(set.iter().map(before));
            }
        }
        let lock_events = || frame.sections.iter().map(|section| section.lock);
        let ends = frame.sections.iter().filter_map(|section| section.unlock);
        let mut edges: Vec<(Source, Source)> = ends
            .flat_map(|unlock| lock_events().map(move |lock| (unlock, lock)))
            .filter(|&(unlock, lock)| relations.follows.has(unlock, lock))
            .map(|(unlock, lock)| (frame.names[unlock], frame.names[lock]))
            .collect();
        edges.sort_unstable();
        self.found.leaves.push(Found {
            graph: whole.graph.clone(),
            coherence,
            follows: Rc::new(edges),
            lb_race: whole.lb_race,
            any_lb_race: whole.any_lb_race,
            part: part(all),
            core,
        });
        Ok(())
    }
}
