//! What runs threads: the program, the states of its threads, and tables of the threads, memory and locks
//! that were met.
//!
//! A search asks threads for their requests ([`ask`]), which are resolved to locations and numbers
//! ([`resolve`]) and made events of a graph ([`events`]). Nothing here chooses anything or decides what is
//! consistent.

mod ask;
pub(crate) mod barrier;
pub(crate) mod counters;
mod disturbance;
mod events;
pub(crate) mod lock_table;
pub(crate) mod memory_map;
mod printed;
pub(crate) mod resolve;
pub(crate) mod rwlock_try;
pub(crate) mod seen_rounds;
mod short_cut;
pub(crate) mod states;
pub(crate) mod symmetry;
pub(crate) mod tables;
mod thread_names;
pub(crate) mod unseen;

use self::lock_table::{LockHandling, LockKnowledge};
use self::memory_map::Initial;
use self::resolve::{Request, Step};
use self::states::States;
use self::tables::Tables;
use crate::graph::{Event, EventTag, Graph, Loc, ThreadStatus};
use crate::id::{Address, AllocationId, EventId, SiteId, ThreadId};
use crate::outcome::{Related, ThreadEnd};
use crate::program::Program;
use crate::program::action::{Contents, Value, Waiting, Width};
use crate::settings::Settings;

/// Runs the threads of a program along one path of a search.
pub(crate) struct Run<'a, P: Program> {
    pub program: &'a P,
    pub settings: &'a Settings,
    /// The states of the threads on the current path, now and before each event.
    pub states: States<P::Cursor>,
    pub tables: Tables,
    /// Some thread waited in a loop, or for a signal.
    pub has_spins: bool,
    /// Permutations of threads that nothing tells apart are left out ([`symmetry`]).
    pub symmetry: bool,
    /// Some thread made a futile round only to find violations there.
    pub has_spared: bool,
    /// The program wants to know what disturbs threads ([`disturbance`]).
    watches: bool,
    /// What it was told of each location.
    told: Vec<u8>,
}

impl<'a, P: Program> Run<'a, P> {
    pub fn new(
        program: &'a P,
        settings: &'a Settings,
        knowledge: &LockKnowledge,
        handling: LockHandling,
    ) -> Run<'a, P> {
        Run {
            program,
            settings,
            states: States::new(),
            tables: Tables::new(program, knowledge, handling),
            has_spins: false,
            symmetry: false,
            has_spared: false,
            watches: program.hints().watches(),
            told: Vec::new(),
        }
    }

    /// Keep the states of threads, where they can be found again: in a search that knows by itself which threads are to be
    /// asked again when events are undone. Words of locks, inserted fences and worlds make requests that depend on more
    /// than answers.
    pub fn keep_states(mut self) -> Run<'a, P> {
        let depends_on_more = self.program.world().is_some()
            || self.tables.locks.has_tried()
            || !self.settings.fences.is_empty();
        if !depends_on_more {
            self.states.grow_tree();
        }
        self
    }

    /// What a thread requests next.
    #[inline]
    pub fn step(&self, graph: &Graph, thread: usize) -> &Step {
        &self.states[graph.threads[thread].state as usize].step
    }

    /// The request that became this event.
    #[inline]
    pub fn step_of(&self, event: &Event) -> &Step {
        &self.states[event.state as usize].step
    }

    /// The site of an event.
    pub fn site(&self, graph: &Graph, id: EventId) -> SiteId {
        self.step_of(graph.event(id)).site
    }

    /// An event that belongs to a violation.
    pub fn related(&self, graph: &Graph, role: &'static str, id: EventId) -> Related {
        Related { role, thread: ThreadId(id.thread() as u32), site: self.site(graph, id), event: Some(id) }
    }

    /// The value that a location has before any write, if it has one.
    #[inline]
    pub fn initial(&self, graph: &Graph, loc: Loc) -> Option<Value> {
        match self.tables.memory.locations[loc as usize].initial {
            Initial::Value(value) => Some(value),
            Initial::Uninitialised => None,
            Initial::Allocated { offset } => {
                let location = &self.tables.memory.locations[loc as usize];
                self.allocated(graph, location.within?, offset, location.width)
            }
        }
    }

    /// The same for allocated memory: the allocation event of this graph says it.
    fn allocated(&self, graph: &Graph, within: AllocationId, offset: u64, width: Width) -> Option<Value> {
        match &self.step_of(graph.event(self.allocation(graph, within)?)).request {
            Request::Alloc { contents: Contents::Zeroed, .. } => Some(0),
            Request::Alloc { contents: Contents::Cells { cell, values }, .. } => {
                memory_map::cells(values, *cell, offset, width)
            }
            _ => None,
        }
    }

    fn allocation(&self, graph: &Graph, within: AllocationId) -> Option<EventId> {
        let thread = self.tables.threads.known(u64::from(within.thread))?;
        graph.allocation(thread, within.nth)
    }

    /// The value at an address of which no graph of this search had an event: the one before any write, if there is one.
    pub fn untouched(&self, graph: &Graph, address: Address, width: Width) -> Option<Value> {
        let size = |within: AllocationId| {
            self.allocation(graph, within).map(|allocation| graph.event(allocation).size())
        };
        let object_at = |address| self.program.hints().object_at(address);
        match self.tables.memory.untouched(address, width, size, &object_at) {
            Some((Initial::Value(value), _)) => Some(value),
            Some((Initial::Allocated { offset }, within)) => self.allocated(graph, within?, offset, width),
            Some((Initial::Uninitialised, _)) | None => None,
        }
    }

    /// The value that a write put into a location.
    #[inline]
    pub fn value_of(&self, graph: &Graph, loc: Loc, write: EventId) -> Value {
        if write.is_init() { self.initial(graph, loc).unwrap_or(0) } else { graph.event(write).written }
    }

    /// Can this thread go on?
    #[inline]
    pub fn enabled(&self, graph: &Graph, thread: usize) -> bool {
        match graph.status[thread] {
            ThreadStatus::Absent
            | ThreadStatus::Unasked
            | ThreadStatus::Done
            | ThreadStatus::Stuck
            | ThreadStatus::Postponed => false,
            ThreadStatus::Reads => !self.waits_for_twin(graph, thread),
            ThreadStatus::Steps => true,
            ThreadStatus::Joins => match self.step(graph, thread).request {
                Request::Join { name } => {
                    let child = self.tables.threads.known(name).expect("a thread that is joined was spawned");
                    self.can_be_joined(graph, child)
                }
                Request::Pass { barrier, count } => {
                    barrier::pass(&self.tables.threads, graph, thread, barrier, count).is_some()
                }
                _ => true,
            },
        }
    }

    /// Did this thread end, and not the process with it? Who joins a thread that ended the process waits until all is over.
    #[inline]
    pub fn can_be_joined(&self, graph: &Graph, thread: usize) -> bool {
        graph.status.get(thread) == Some(&ThreadStatus::Done)
            && !matches!(self.step(graph, thread).request, Request::Exit)
    }

    /// Can something be wrong with what a thread requests, before it is an event? If it cannot now, it never can.
    #[inline]
    pub fn may_be_wrong(&self, request: &Request) -> bool {
        match request {
            Request::Join { name } => self.tables.threads.known(*name).is_none(),
            request => request.may_be_wrong(),
        }
    }

    /// The number of the thread that a thread is about to join.
    #[inline(always)]
    pub fn joined(&self, graph: &Graph, thread: usize) -> Option<usize> {
        match self.step(graph, thread).request {
            Request::Join { name } => self.tables.threads.known(name),
            _ => None,
        }
    }

    /// How a thread ended, or what it waits for.
    pub fn thread_end(&self, graph: &Graph, t: usize) -> ThreadEnd {
        match graph.threads[t].events.last() {
            Some(last) if last.tag == EventTag::Waits => return ThreadEnd::Lock,
            Some(last) if last.failed => return ThreadEnd::Running,
            _ => {}
        }
        if graph.status[t] == ThreadStatus::Unasked {
            return ThreadEnd::Running;
        }
        match self.step(graph, t).request {
            Request::Done | Request::Exit => ThreadEnd::Done,
            Request::Block => ThreadEnd::Assume,
            Request::Cut => ThreadEnd::Cut,
            Request::Wait(Waiting::Condition | Waiting::Signal | Waiting::Nothing) => ThreadEnd::Condition,
            Request::Wait(Waiting::Spin { .. }) => ThreadEnd::Spin,
            Request::Dropped => ThreadEnd::Dropped,
            Request::Join { .. } => ThreadEnd::Join,
            Request::Pass { .. } => ThreadEnd::Barrier,
            Request::Lock { .. } if graph.status[t] == ThreadStatus::Stuck => ThreadEnd::Lock,
            _ => ThreadEnd::Running,
        }
    }
}
