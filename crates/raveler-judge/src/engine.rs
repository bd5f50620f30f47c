//! Runs the engine on a test program and brings what it reports into the judges' form.

mod parts;
mod replay;

pub use self::replay::replayed;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::addresses::{Addresses, Bases, data_address};
use crate::code::Code;
use crate::front_end::{Again, FrontEnd, OneWorld, Snapshot, Surroundings, from_engine};
use crate::graph::{Coherence, End, Event, EventKind, Graph, Source, State};
use crate::program::{Order, TestProgram};
use raveler_core::outcome::{ThreadEnd, WitnessEvent};
use raveler_core::{
    Address, Counts, Equivalence, EventId, Execution, Flow, Fork, Observer, Outcome, Replay, Settings,
    Together, Witness, search,
};

/// An execution: its graph and, under `co`, its coherence order.
pub type Seen = (Graph, Option<Coherence>);

/// What the engine reported.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Complete executions and how often each was reported.
    pub complete: FxHashMap<Seen, u32>,
    /// Blocked ones.
    pub blocked: FxHashMap<Seen, u32>,
    /// How complete executions can end.
    pub states: FxHashSet<State>,
    /// What the search returned.
    pub outcome: Outcome,
    /// What could not be understood.
    pub complaint: Option<String>,
}

/// Which front-end the engine gets the program through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Through {
    /// Threads that can be copied.
    Snapshot,
    /// Threads that are run again.
    Replay,
    /// Threads that can be copied and wait in loops.
    Spins,
    /// Threads that are run again all together.
    World,
    /// Threads that can be copied; the search is cut at random places, and its parts go on elsewhere.
    Parts {
        /// Where it is cut.
        seed: u64,
    },
}

/// Runs the engine.
pub fn run(program: &TestProgram, settings: &Settings, through: Through) -> Report {
    run_for(program, settings, through, u32::MAX)
}

/// Runs the engine, but not for ever: it is stopped when it has reported progress this often (every few thousand steps).
pub fn run_for(program: &TestProgram, settings: &Settings, through: Through, breaths: u32) -> Report {
    let surroundings = Surroundings::new(program);
    let code = Code::new(program);
    let mut collector = Collector {
        registers: program.registers(),
        lasting: code.lasting().map(data_address).collect(),
        cells: program.cells(),
        locks: program.locks as usize,
        coherence: settings.equivalence == Equivalence::Coherence,
        breaths,
        report: Report::default(),
    };
    let outcome = match through {
        Through::Snapshot => search(&Snapshot::new(&code, &surroundings), settings, &mut collector),
        Through::Spins => search(&Snapshot::new(&code, &surroundings).spinning(), settings, &mut collector),
        Through::Replay => search(&Replay(Again::new(program, &surroundings)), settings, &mut collector),
        Through::World => {
            search(&Together(OneWorld(Snapshot::new(&code, &surroundings))), settings, &mut collector)
        }
        Through::Parts { seed } => {
            parts::search(&Snapshot::new(&code, &surroundings), settings, &mut collector, seed)
        }
    };
    Report { outcome, ..collector.report }
}

/// Collects executions.
struct Collector {
    registers: Vec<usize>,
    /// The addresses of what is there from the start and at the end.
    lasting: Vec<Address>,
    cells: usize,
    locks: usize,
    coherence: bool,
    /// How often it still says that the search may go on.
    breaths: u32,
    report: Report,
}

impl<P: FrontEnd> Observer<P> for Collector {
    fn execution(&mut self, execution: &Execution<'_, P>) -> Flow {
        let witness = execution.witness();
        let numbers = numbers(execution.program().surroundings(), &witness);
        self.states(execution, &numbers);
        match self.convert(execution.program().surroundings(), &witness, &numbers) {
            Ok(seen) => *self.report.complete.entry(seen).or_default() += 1,
            Err(message) => self.report.complaint = Some(message),
        }
        Flow::Continue
    }

    fn reordered(&mut self, execution: &Execution<'_, P>) -> Flow {
        let numbers = numbers(execution.program().surroundings(), &execution.witness());
        self.states(execution, &numbers);
        Flow::Continue
    }

    fn blocked(&mut self, execution: &Execution<'_, P>) -> Flow {
        let witness = execution.witness();
        let numbers = numbers(execution.program().surroundings(), &witness);
        match self.convert(execution.program().surroundings(), &witness, &numbers) {
            Ok(seen) => *self.report.blocked.entry(seen).or_default() += 1,
            Err(message) => self.report.complaint = Some(message),
        }
        Flow::Continue
    }

    fn restarted(&mut self) {
        self.report = Report::default();
    }

    fn progress(&mut self, _counts: &Counts) -> Flow {
        self.breaths = self.breaths.saturating_sub(1);
        if self.breaths > 0 { Flow::Continue } else { Flow::Stop }
    }
}

impl Fork for Collector {
    fn fork(&self) -> Collector {
        let (registers, lasting) = (self.registers.clone(), self.lasting.clone());
        Collector { report: Report::default(), registers, lasting, ..*self }
    }

    fn merge(&mut self, other: Collector) {
        for (seen, times) in other.report.complete {
            *self.report.complete.entry(seen).or_default() += times;
        }
        for (seen, times) in other.report.blocked {
            *self.report.blocked.entry(seen).or_default() += times;
        }
        self.report.states.extend(other.report.states);
        self.report.complaint = self.report.complaint.take().or(other.report.complaint);
    }
}

/// For each thread of the witness its number in the test program; none for a place that is empty because the thread was
/// not spawned in this execution.
fn numbers(surroundings: &Surroundings, witness: &Witness) -> Vec<Option<usize>> {
    let mut initial = surroundings.initial.iter();
    let number = |thread: &raveler_core::outcome::WitnessThread| match thread.spawned_by {
        None => initial.next().copied(),
        Some(spawn) => {
            let site = witness.threads[spawn.thread()].events[spawn.index() as usize].site;
            surroundings.spawns[site.0 as usize].map(usize::from)
        }
    };
    witness.threads.iter().map(number).collect()
}

impl Collector {
    fn states<P: FrontEnd>(&mut self, execution: &Execution<'_, P>, numbers: &[Option<usize>]) {
        let mut registers = vec![None; self.registers.len()];
        for (index, &number) in numbers.iter().enumerate() {
            let Some(number) = number else { continue };
            registers[number] = Some(execution.program().registers(execution, index));
        }
        let mut start = State::new();
        for (thread, &used) in registers.iter().zip(&self.registers) {
            start.extend(&thread.unwrap_or_default()[..used]);
        }
        for row in execution.finals(&self.lasting) {
            let mut state = start.clone();
            state.extend(row.into_iter().map(from_engine));
            self.report.states.insert(state);
        }
    }

    /// The addresses of all places, then of all locks, in this execution.
    fn addresses(&self, surroundings: &Surroundings, witness: &Witness) -> Vec<Address> {
        let mut bases = Bases::default();
        for &(address, object) in &witness.allocated {
            bases[object as usize] = address.0;
        }
        let addresses = Addresses::new(&surroundings.heap, &bases);
        let places = (0..self.cells).map(|place| addresses.place(place as u8));
        places.chain((0..self.locks).map(|lock| addresses.lock(lock as u8))).collect()
    }

    fn convert(
        &self,
        surroundings: &Surroundings,
        witness: &Witness,
        numbers: &[Option<usize>],
    ) -> Result<Seen, String> {
        let addresses = self.addresses(surroundings, witness);
        let place_of = |address: Address| {
            let place = addresses.iter().position(|known| *known == address).map(|place| place as u8);
            place.ok_or_else(|| format!("an event at the unknown address {:#x}", address.0))
        };
        let source = |event: EventId| {
            if event.is_init() {
                Source::Init
            } else {
                let number = numbers[event.thread()].expect("a thread with events was spawned");
                Source::Event(number as u8, event.index() as u8)
            }
        };
        let threads = self.registers.len();
        let mut graph = Graph { threads: vec![Vec::new(); threads], ends: vec![End::Absent; threads] };
        for (thread, &number) in witness.threads.iter().zip(numbers) {
            let Some(number) = number else {
                if thread.events.is_empty() {
                    continue;
                }
                return Err("a thread with events that nothing spawned".to_string());
            };
            graph.ends[number] = match thread.end {
                ThreadEnd::Done => End::Done,
                ThreadEnd::Assume => End::Assume,
                ThreadEnd::Condition | ThreadEnd::Spin | ThreadEnd::Dropped | ThreadEnd::Cut => {
                    End::Condition
                }
                ThreadEnd::Barrier => unreachable!("these programs have no barriers"),
                ThreadEnd::Join => End::Join,
                ThreadEnd::Lock => End::Lock,
                ThreadEnd::Running => {
                    return Err(format!("thread {number} is still running at a leaf"));
                }
            };
            for event in &thread.events {
                let address = event.address.filter(|_| event.kind != EventKind::Free);
                let place = address.map(place_of).transpose()?;
                graph.threads[number].push(convert_event(event, place, event.reads_from.map(source)));
            }
            // A thread that waits for a lock sees who holds it; the rest of the graph says so too.
            if thread.end == ThreadEnd::Lock
                && graph.threads[number].last().is_some_and(|last| last.kind == EventKind::LockFailed)
            {
                graph.threads[number].pop();
            }
        }
        if !self.coherence {
            return Ok((graph, None));
        }
        let mut coherence = vec![Vec::new(); self.cells + self.locks];
        for (address, writes) in &witness.coherence {
            let place = place_of(*address)? as usize;
            if !writes.first().is_some_and(|first| first.is_init()) {
                return Err("a coherence order that does not begin with the initial write".to_string());
            }
            coherence[place] = writes[1..].iter().map(|&write| source(write)).collect();
        }
        Ok((graph, Some(coherence)))
    }
}

fn convert_event(event: &WitnessEvent, place: Option<u8>, source: Option<Source>) -> Event {
    let accesses = matches!(event.kind, EventKind::Read | EventKind::Write | EventKind::Update);
    let ordered = accesses || event.kind == EventKind::Fence;
    let reads = matches!(event.kind, EventKind::Read | EventKind::Update | EventKind::Choose);
    Event {
        kind: event.kind,
        order: if ordered { event.order } else { Order::Relaxed },
        place,
        read: event.read.filter(|_| reads).map(from_engine),
        written: event.written.filter(|_| accesses).map(from_engine),
        source,
    }
}
