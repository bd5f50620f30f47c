//! One execution, as an observer sees it: cheap to look at, turned into plain data on demand.
//!
//! Under `rf` a graph stands for all coherence orders that explain it; a [`Witness`] shows one of them.

mod story;
mod trace;

use std::cell::RefCell;

use crate::consistency::Explain;
use crate::graph::{Event, EventTag, Graph, Kind, Loc, NO_LOC, ThreadStatus};
use crate::id::{Address, AllocationId, EventId, SiteId, ThreadId, WordOf};
use crate::outcome::{
    EventKind, Reexecution, Related, ThreadEnd, Violation, Witness, WitnessEvent, WitnessThread,
};
use crate::program::action::{LockMode, Order, Part, ThreadName, Value, Width};
use crate::program::{PastEvent, Program};
use crate::run::Run;
use crate::run::resolve::Request;
use crate::run::rwlock_try::{is_hidden, missed};

/// An execution at a leaf of the search.
pub struct Execution<'a, P: Program> {
    run: &'a Run<'a, P>,
    graph: &'a Graph,
    order: RefCell<&'a mut dyn Explain>,
    /// How it was made of another one, if it was. Few executions are shown, so it is found out on demand.
    reexecution: Option<&'a dyn Fn() -> Reexecution>,
}

/// Memory that an execution allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Its site.
    pub site: SiteId,
    /// Its address.
    pub address: Address,
    /// How many bytes.
    pub size: u64,
}

/// All the ways the shown locations can end: one row of values per possible combination of last writes,
/// without duplicates, in the order of the addresses asked for.
pub type FinalWrites = Vec<Vec<Value>>;

impl<'a, P: Program> Execution<'a, P> {
    pub(crate) fn new(run: &'a Run<'a, P>, graph: &'a Graph, order: &'a mut dyn Explain) -> Self {
        Execution { run, graph, order: RefCell::new(order), reexecution: None }
    }

    /// The same, made of another execution.
    pub(crate) fn made_by(self, reexecution: &'a dyn Fn() -> Reexecution) -> Self {
        Execution { reexecution: Some(reexecution), ..self }
    }

    pub(crate) fn run(&self) -> &'a Run<'a, P> {
        self.run
    }

    pub(crate) fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The program it is an execution of.
    pub fn program(&self) -> &P {
        self.run.program
    }

    /// The states of its threads at the end. Threads that only other executions start are not among them.
    pub fn cursors(&self) -> impl Iterator<Item = &P::Cursor> {
        let present = |&t: &usize| self.graph.status.get(t).is_some_and(|&s| s != ThreadStatus::Absent);
        (0..self.graph.threads.len()).filter(present).map(|thread| self.cursor(thread))
    }

    /// The state of a thread at the end (with its registers, for front-ends that show them). The thread must be one that
    /// is there in every execution, or else is known to be there in this one.
    #[inline]
    pub fn cursor(&self, thread: usize) -> &P::Cursor {
        &self.run.states[self.graph.threads[thread].state as usize].cursor
    }

    /// The threads that did not end: what each waits for, and where.
    pub fn stuck(&self) -> Vec<(ThreadEnd, SiteId)> {
        let alive = |&t: &usize| !matches!(self.graph.status[t], ThreadStatus::Absent | ThreadStatus::Done);
        let at = |t| (self.run.thread_end(self.graph, t), self.run.step(self.graph, t).site);
        (0..self.graph.threads.len()).filter(alive).map(at).collect()
    }

    /// What programs call a thread.
    pub fn thread_name(&self, thread: usize) -> ThreadName {
        u64::from(self.run.tables.threads.name(thread))
    }

    /// All actions in an order in which they could have happened, with their answers: what a [`crate::World`]
    /// is shown.
    pub fn so_far(&self) -> Vec<PastEvent> {
        let edges = self.order.borrow_mut().lock_edges(self.graph, &[]);
        self.run.so_far(self.graph, &edges)
    }

    /// The order of critical sections where events do not show it: pairs of events, the first before the second.
    pub(crate) fn lock_edges(&self) -> Vec<(EventId, EventId)> {
        self.order.borrow_mut().lock_edges(self.graph, &[])
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.graph.len()
    }

    /// The values that were observed: the name's number and the value, thread by thread.
    pub fn observed(&self) -> Vec<(u32, Value)> {
        let mut values = Vec::new();
        for &t in &self.run.tables.threads.by_rank {
            if self.graph.status.get(t).is_none_or(|&r| r == ThreadStatus::Absent) {
                continue;
            }
            let thread = &self.graph.threads[t];
            for event in thread.events.iter().filter(|e| e.kind == Kind::Observe) {
                values.push(event.observed());
            }
        }
        values
    }

    /// The final values of these locations. Under `rf` an execution can have several final states
    /// (docs/counts.md, "Final states").
    pub fn finals(&self, addresses: &[Address]) -> FinalWrites {
        let mut locs: Vec<Loc> = Vec::with_capacity(addresses.len());
        let mut columns = Vec::with_capacity(addresses.len());
        let mut row: Vec<Value> = Vec::with_capacity(addresses.len());
        for &address in addresses {
            let loc = self.run.tables.memory.known(address);
            let written =
                loc.filter(|&l| self.graph.accesses.get(l as usize).is_some_and(|p| !p.writes.is_empty()));
            row.push(match loc {
                Some(l) => self.run.value_at_last(self.graph, l, EventId::INIT),
                None => self.run.tables.memory.initial_value(address),
            });
            if let Some(loc) = written {
                columns.push(row.len() - 1);
                locs.push(loc);
            }
        }
        let mut rows = Vec::new();
        self.order.borrow_mut().last_writes(self.graph, &locs, &mut |write_indices| {
            for ((&write_index, &loc), &column) in write_indices.iter().zip(&locs).zip(&columns) {
                let write = self.graph.write_at(loc, write_index);
                row[column] = self.run.value_at_last(self.graph, loc, write);
            }
            if !rows.contains(&row) {
                rows.push(row.clone());
            }
        });
        rows
    }

    /// Memory that was allocated and never freed, thread by thread.
    pub fn unfreed(&self) -> Vec<Allocation> {
        let events = || self.graph.threads.iter().flat_map(|thread| &thread.events);
        let mut left: Vec<Allocation> = events()
            .filter(|event| event.kind == Kind::Alloc)
            .map(|event| Allocation {
                site: self.run.step_of(event).site,
                address: event.address(),
                size: event.size(),
            })
            .collect();
        if !left.is_empty() {
            for event in events().filter(|event| event.kind == Kind::Free) {
                let freed = |allocation: &Allocation| {
                    AllocationId::at(allocation.address).is_some_and(|(of, _)| event.freed() == of)
                };
                left.retain(|allocation| !freed(allocation));
            }
        }
        left
    }

    /// The sites at which locks were taken that are still held at the end, thread by thread.
    pub fn held(&self) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for thread in &self.graph.threads {
            let mut open: Vec<&Event> = Vec::new();
            for event in &thread.events {
                match event.kind {
                    Kind::Lock => open.push(event),
                    Kind::Update if event.tag == EventTag::Lock => open.push(event),
                    _ if event.tag == EventTag::Unlock => {
                        let taken = open.iter().rposition(|taken| taken.loc == event.loc);
                        taken.map(|taken| open.remove(taken));
                    }
                    _ => {}
                }
            }
            sites.extend(open.iter().map(|event| self.run.step_of(event).site));
        }
        sites
    }

    /// Values that may be in memory at the end: no update read from their writes, and the threads that wrote
    /// them wrote nothing there later.
    pub fn lasting(&self) -> Vec<(Address, Value)> {
        let mut lasting = Vec::new();
        for (t, thread) in self.graph.threads.iter().enumerate() {
            for (i, event) in thread.events.iter().enumerate().filter(|(_, event)| event.kind.writes()) {
                let id = EventId::new(t as u32, i as u32);
                let later = thread.events[i + 1..].iter();
                let mut others = self.graph.threads.iter().flat_map(|thread| &thread.events);
                if !later.into_iter().any(|other| other.kind.writes() && other.loc == event.loc)
                    && !others.any(|other| other.kind == Kind::Update && other.rf == id)
                {
                    lasting
                        .push((self.run.tables.memory.locations[event.loc as usize].address, event.written));
                }
            }
        }
        lasting
    }

    /// The execution as plain data.
    pub fn witness(&self) -> Witness {
        self.witness_with(&[])
    }

    /// The same, ending with these values: one of the rows of [`Execution::finals`].
    pub fn witness_ending(&self, addresses: &[Address], values: &[Value]) -> Witness {
        let mut locs: Vec<(Loc, Value)> = Vec::new();
        for (&address, &value) in addresses.iter().zip(values) {
            if let Some(loc) = self.run.tables.memory.known(address)
                && self.graph.accesses.get(loc as usize).is_some_and(|p| !p.writes.is_empty())
            {
                locs.push((loc, value));
            }
        }
        let only: Vec<Loc> = locs.iter().map(|&(loc, _)| loc).collect();
        let mut last = Vec::new();
        self.order.borrow_mut().last_writes(self.graph, &only, &mut |write_indices| {
            let fits = write_indices.iter().zip(&locs).all(|(&write_index, &(loc, value))| {
                let write = self.graph.write_at(loc, write_index);
                self.run.value_at_last(self.graph, loc, write) == value
            });
            if fits && last.is_empty() {
                last = only.iter().copied().zip(write_indices.iter().copied()).collect();
            }
        });
        self.witness_with(&last)
    }

    fn witness_with(&self, last: &[(Loc, u32)]) -> Witness {
        let mut threads: Vec<WitnessThread> =
            (0..self.graph.threads.len()).map(|t| self.witness_thread(t)).collect();
        let orders = self.order.borrow_mut().coherence(self.graph, last);
        let edges = self.order.borrow_mut().lock_edges(self.graph, last);
        let reexecution = self.reexecution.map(|describe| describe());
        let flushes = self.order.borrow().flushes();
        let mut story = match flushes {
            Some(_) => self.recorded_story(),
            None => self.story(&orders, &edges, reexecution.as_ref()),
        };
        let mut coherence: Vec<(Address, Vec<EventId>)> = Vec::new();
        for (loc, writes) in orders.into_iter().enumerate().filter(|(_, writes)| !writes.is_empty()) {
            let mut all = vec![EventId::INIT];
            all.extend(writes);
            coherence.push((self.run.tables.memory.locations[loc].address, all));
        }
        coherence.sort_by_key(|(address, _)| *address);
        if self.run.tables.locks.has_tried() {
            self.hide_parts(&mut threads, &mut coherence, &mut story);
        }
        let (allocated, flushes) = (self.allocated(), flushes.unwrap_or_default());
        Witness { threads, coherence, story, allocated, reexecution, flushes, trace: self.trace() }
    }

    /// A violation of this execution, with the execution as its witness.
    pub(crate) fn violation(&self, violation: &Violation) -> Violation {
        let shown = |event: Option<EventId>| event.map(|id| self.shown(id));
        let related = violation.related.iter();
        Violation {
            event: shown(violation.event),
            related: related.map(|at| Related { event: shown(at.event), ..at.clone() }).collect(),
            witness: self.witness(),
            ..violation.clone()
        }
    }

    /// Is this event one of the parts of a request that are not shown?
    fn is_hidden(&self, id: EventId) -> bool {
        (id.index() as usize) < self.graph.threads[id.thread()].events.len()
            && is_hidden(self.graph, &self.run.states, id)
    }

    /// An event as the witness names it, where parts of requests are left out.
    fn shown(&self, id: EventId) -> EventId {
        if id.is_init() || !self.run.tables.locks.has_tried() {
            return id;
        }
        let earlier = (0..id.index()).map(|i| EventId::new(id.thread() as u32, i));
        EventId::new(id.thread() as u32, earlier.filter(|&other| !self.is_hidden(other)).count() as u32)
    }

    /// What the program asks for is sometimes made in several parts (`run/rwlock_try.rs`): show it as one.
    fn hide_parts(
        &self,
        threads: &mut [WitnessThread],
        coherence: &mut Vec<(Address, Vec<EventId>)>,
        story: &mut Vec<EventId>,
    ) {
        let graph = self.graph;
        let hidden = |id: EventId| self.is_hidden(id);
        let shown = |id: EventId| self.shown(id);
        let events = |t: usize, count: u32| (0..count).map(move |i| EventId::new(t as u32, i));
        for (t, thread) in threads.iter_mut().enumerate() {
            for (id, event) in events(t, graph.threads[t].events.len() as u32).zip(&mut thread.events) {
                if let Some((lock, taken)) = missed(graph, &self.run.states, &self.run.tables, id) {
                    event.kind = EventKind::LockFailed;
                    event.address = Some(lock);
                    event.reads_from = Some(taken);
                }
            }
            let mut index = 0..;
            thread.events.retain(|_| !hidden(EventId::new(t as u32, index.next().unwrap_or_default())));
            for event in &mut thread.events {
                event.reads_from = event.reads_from.map(shown);
            }
            thread.spawned_by = thread.spawned_by.map(shown);
            for printed in &mut thread.printed {
                printed.after = shown(EventId::new(t as u32, printed.after)).index();
            }
        }
        coherence.retain(|(address, _)| !matches!(address.of_word(), Some(WordOf::Hold { .. })));
        for id in coherence.iter_mut().flat_map(|(_, writes)| writes) {
            *id = shown(*id);
        }
        story.retain(|&id| !hidden(id));
        story.iter_mut().for_each(|id| *id = shown(*id));
    }

    fn allocated(&self) -> Vec<(Address, u32)> {
        let events = self.graph.threads.iter().flat_map(|thread| &thread.events);
        let allocations = events.filter(|event| event.kind == Kind::Alloc);
        let named = |event: &Event| match self.run.step_of(event).request {
            Request::Alloc { what, .. } => Some((event.address(), what)),
            _ => None,
        };
        allocations.filter_map(named).collect()
    }

    fn witness_thread(&self, t: usize) -> WitnessThread {
        let thread = &self.graph.threads[t];
        let alive = self.graph.status[t] != ThreadStatus::Absent;
        let mut events: Vec<WitnessEvent> =
            thread.events.iter().map(|event| self.witness_event(event)).collect();
        events.extend(self.waiting_event(t).filter(|_| alive));
        let spawned_by = (alive && !thread.parent.is_init()).then_some(thread.parent);
        WitnessThread {
            events,
            printed: if alive { self.run.printed(self.graph, t) } else { Vec::new() },
            end: if alive { self.run.thread_end(self.graph, t) } else { ThreadEnd::Done },
            spawned_by,
            code: spawned_by.and_then(|spawn| match self.run.step_of(self.graph.event(spawn)).request {
                Request::Spawn { code, .. } => Some(code),
                _ => None,
            }),
        }
    }

    /// A thread that waits for a lock whose sections are left unordered has no event for that: make one for
    /// the witness.
    fn waiting_event(&self, t: usize) -> Option<WitnessEvent> {
        let log = &self.graph.threads[t];
        if self.graph.status[t] != ThreadStatus::Stuck || log.events.last().is_some_and(|e| e.failed) {
            return None;
        }
        let step = self.run.step(self.graph, t);
        let Request::Lock { mode, .. } = step.request else { return None };
        let holder = (0..self.graph.threads.len()).find_map(|other| self.graph.held(other, step.loc));
        Some(WitnessEvent {
            kind: EventKind::LockFailed,
            order: Order::Relaxed,
            address: Some(self.run.tables.memory.locations[step.loc as usize].address),
            width: self.run.tables.memory.locations[step.loc as usize].width,
            read: None,
            written: None,
            reads_from: holder,
            shared: mode == LockMode::Shared,
            locked: true,
            other: None,
            site: step.site,
        })
    }

    fn witness_event(&self, event: &Event) -> WitnessEvent {
        let lock = matches!(event.tag, EventTag::Lock | EventTag::Waits);
        let kind = match event.kind {
            Kind::Read if lock => EventKind::LockFailed,
            Kind::Read => EventKind::Read,
            Kind::Write if event.tag == EventTag::Unlock => EventKind::Unlock,
            Kind::Write => EventKind::Write,
            Kind::Update if lock => EventKind::Lock,
            Kind::Update => EventKind::Update,
            Kind::Count => EventKind::Count,
            Kind::Fence => EventKind::Fence,
            Kind::Spawn => EventKind::Spawn,
            Kind::Join if event.joins_thread() => EventKind::Join,
            Kind::Join if event.rf.is_init() => EventKind::Arrive,
            Kind::Join => EventKind::Pass,
            Kind::Alloc => EventKind::Alloc,
            Kind::Free => EventKind::Free,
            Kind::Initialise => EventKind::Initialise,
            Kind::Destroy => EventKind::Destroy,
            Kind::Choose => EventKind::Choose,
            Kind::Observe => EventKind::Observe,
            Kind::Lock => EventKind::Lock,
            Kind::Unlock => EventKind::Unlock,
        };
        let location = (event.loc != NO_LOC).then(|| &self.run.tables.memory.locations[event.loc as usize]);
        let pointer = |value: Value| self.run.program.hints().pointer(value).map_or(value, |at| at.0);
        let is_wide = location.is_some_and(|l| l.width == Width::B8);
        let shown = |value: Value| if is_wide { pointer(value) } else { value };
        let (skipped, width) = part_of(event.part, location.map_or(Width::B8, |l| l.width));
        let read = if skipped == 0 { event.read } else { event.read >> (8 * skipped) };
        WitnessEvent {
            kind,
            order: if location.is_some() || event.kind == Kind::Fence { event.order } else { Order::Plain },
            address: match event.kind {
                Kind::Free => Some(event.freed().address()),
                Kind::Initialise | Kind::Destroy => Some(event.word()),
                _ => location.map(|l| Address(l.address.0 + skipped)),
            },
            width,
            read: (event.kind.reads() || matches!(event.kind, Kind::Choose | Kind::Alloc | Kind::Spawn))
                .then(|| shown(width.cut(read))),
            written: (event.kind.writes() || matches!(event.kind, Kind::Count | Kind::Observe))
                .then(|| shown(event.written)),
            reads_from: event.kind.reads().then_some(event.rf),
            shared: event.kind == Kind::Lock && event.lock_mode() == LockMode::Shared,
            locked: matches!(event.kind, Kind::Update | Kind::Count | Kind::Spawn | Kind::Join)
                || !matches!(event.tag, EventTag::None | EventTag::Local),
            other: (event.kind == Kind::Spawn || event.joins_thread())
                .then(|| ThreadId(event.child() as u32)),
            site: self.run.step_of(event).site,
        }
    }
}

/// Where in its location the part lies that an access reads, and how wide it is.
fn part_of(part: Part, whole: Width) -> (u64, Width) {
    let Part::Bytes(bytes) = part else { return (0, whole) };
    let width = match bytes.count_ones() {
        1 => Width::B1,
        2 => Width::B2,
        4 => Width::B4,
        _ => Width::B8,
    };
    (u64::from(bytes.trailing_zeros()), width)
}
