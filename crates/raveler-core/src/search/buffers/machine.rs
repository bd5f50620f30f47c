//! Store buffers, and the processes that act: threads, and flushes that move stores from a buffer to memory.
//!
//! Under TSO a thread has one buffer, under PSO one for each location; each buffer has a process of its own that
//! flushes it. Here all stores of a thread stand in one list in the order in which they were buffered, and the rules
//! say which of them may leave next.

use super::rows::{RowId, Rows};
use crate::graph::{Loc, NO_LOC};
use crate::id::EventId;
use crate::models::{ConsistencyKind, FromReads, Model, PreservedOrder};
use crate::mutation::Mutant;

/// Which store buffers a thread has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Buffers {
    /// None: SC.
    None,
    /// One: TSO.
    PerThread,
    /// One for each location: PSO.
    PerLocation,
}

impl Buffers {
    /// The buffers of a model; none if it has no such machine.
    pub fn of(model: Model) -> Option<Buffers> {
        let ConsistencyKind::GlobalOrder(rules) = model.definition().consistency else { return None };
        match (rules.from_reads, rules.preserved) {
            (FromReads::OnlyCoherent, _) => None,
            (FromReads::Ordered, PreservedOrder::All) => Some(Buffers::None),
            (FromReads::Ordered, PreservedOrder::StoresBeforeStores) => Some(Buffers::PerThread),
            (FromReads::Ordered, PreservedOrder::StoresOfOneLocation) => Some(Buffers::PerLocation),
        }
    }
}

/// What acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Process {
    pub thread: u32,
    /// Of a process that flushes: the location of its buffer, [`NO_LOC`] if the buffer is for all of them.
    pub flushes: Option<Loc>,
}

/// A store that was buffered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub event: EventId,
    pub loc: Loc,
    /// How many store-store barriers came before it in the thread.
    pub epoch: u32,
    /// What comes before its flush.
    pub row: RowId,
    pub is_flushed: bool,
}

/// A thread as the machine sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Thread {
    /// Its process.
    pub process: u32,
    /// The processes that flush its stores.
    pub flushers: Vec<u32>,
    /// All that it buffered in this run.
    pub entries: Vec<Entry>,
    /// Entries before this one are flushed.
    head: usize,
    /// How many entries are not flushed.
    pub pending: usize,
    pub now: Standing,
}

/// What changes when a thread goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// What comes before its next step.
    pub tip: RowId,
    /// How many store-store barriers it made.
    pub epoch: u32,
    /// A fence demands that its buffers are empty before it accesses memory again.
    pub drains: bool,
    /// Entries from here on need not have been flushed when it buffers the next store.
    pub open: u32,
}

/// The machine: threads with their buffers, processes, and what comes before what.
pub(super) struct Machine {
    pub buffers: Buffers,
    /// How many stores a buffer can hold.
    bound: Option<u32>,
    pub threads: Vec<Thread>,
    pub processes: Vec<Process>,
    /// Per process one more than the place of its last step in the run, 0 if it made none.
    pub last: Vec<u32>,
    pub rows: Rows,
}

impl Machine {
    pub fn new(buffers: Buffers, bound: Option<u32>) -> Machine {
        // A buffer without room is none: stores go straight to memory.
        let buffers = if bound == Some(0) { Buffers::None } else { buffers };
        let (threads, processes, last) = (Vec::new(), Vec::new(), Vec::new());
        Machine { buffers, bound, threads, processes, last, rows: Rows::new() }
    }

    fn add(&mut self, process: Process) -> u32 {
        self.processes.push(process);
        self.last.push(0);
        self.rows.widen(self.processes.len());
        self.processes.len() as u32 - 1
    }

    /// Know this many threads.
    pub fn grow(&mut self, threads: usize) {
        while self.threads.len() < threads {
            let process = self.add(Process { thread: self.threads.len() as u32, flushes: None });
            self.threads.push(Thread { process, ..Thread::default() });
        }
    }

    /// The process that flushes stores of this thread to this location.
    pub fn flusher(&mut self, thread: usize, loc: Loc) -> u32 {
        let loc = if self.buffers == Buffers::PerLocation { loc } else { NO_LOC };
        let all = &self.processes;
        let known = self.threads[thread].flushers.iter().find(|&&p| all[p as usize].flushes == Some(loc));
        if let Some(&process) = known {
            return process;
        }
        let process = self.add(Process { thread: thread as u32, flushes: Some(loc) });
        self.threads[thread].flushers.push(process);
        process
    }

    /// Has the buffer for this location no room?
    pub fn is_full(&self, thread: usize, loc: Loc) -> bool {
        let Some(bound) = self.bound else { return false };
        let count = match self.buffers {
            Buffers::PerLocation => self.waiting(thread).filter(|(_, entry)| entry.loc == loc).count(),
            _ => self.threads[thread].pending,
        };
        count >= bound as usize
    }

    /// The entry that must be flushed to make room for a store to this location, though nothing drains the buffer; none
    /// if there is room without that. Whether the store has to wait for it depends on the run, but runs that are left
    /// out may show that.
    pub fn makes_room(&self, thread: usize, loc: Loc) -> Option<usize> {
        let (bound, thread) = (self.bound? as usize, &self.threads[thread]);
        let from = thread.now.open as usize;
        let is_in = |&at: &usize| self.buffers != Buffers::PerLocation || thread.entries[at].loc == loc;
        (from..thread.entries.len()).rev().filter(is_in).nth(bound.checked_sub(1)?)
    }

    /// A thread had to wait until its buffers were empty.
    pub fn drain(&mut self, thread: usize) {
        debug_assert_eq!(self.threads[thread].pending, 0);
        self.demand_drain(thread);
        self.threads[thread].now.drains = false;
    }

    /// A thread has to wait until its buffers are empty, before it buffers more or accesses memory.
    pub fn demand_drain(&mut self, thread: usize) {
        let thread = &mut self.threads[thread];
        thread.now.drains = true;
        thread.now.open = thread.entries.len() as u32;
    }

    /// A store is buffered.
    pub fn buffer(&mut self, thread: usize, event: EventId, loc: Loc) {
        self.flusher(thread, loc);
        let thread = &mut self.threads[thread];
        let Standing { tip, epoch, .. } = thread.now;
        thread.entries.push(Entry { event, loc, epoch, row: tip, is_flushed: false });
        thread.pending += 1;
    }

    /// The newest store was not buffered after all.
    pub fn unbuffer(&mut self, thread: usize) {
        let thread = &mut self.threads[thread];
        let entry = thread.entries.pop().expect("what was buffered is there");
        debug_assert!(!entry.is_flushed);
        thread.pending -= 1;
        thread.head = thread.head.min(thread.entries.len());
    }

    /// The entries that are not flushed, oldest first, with their places.
    fn waiting(&self, thread: usize) -> impl DoubleEndedIterator<Item = (usize, &Entry)> {
        let thread = &self.threads[thread];
        let from = if thread.pending == 0 { thread.entries.len() } else { thread.head };
        thread.entries[from..]
            .iter()
            .enumerate()
            .map(move |(at, entry)| (from + at, entry))
            .filter(|(_, entry)| !entry.is_flushed)
    }

    /// The newest store of the thread to this location that is still in its buffer.
    #[inline]
    pub fn forwarded(&self, thread: usize, loc: Loc) -> Option<EventId> {
        if self.threads[thread].pending == 0 || Mutant::ForwardingLost.is_active() {
            return None;
        }
        self.waiting(thread).rev().find(|(_, entry)| entry.loc == loc).map(|(_, entry)| entry.event)
    }

    /// The entry that a process would flush next, if it may.
    pub fn next_flush(&self, process: Process) -> Option<usize> {
        let (thread, loc) = (process.thread as usize, process.flushes?);
        let (first, oldest) = self.waiting(thread).next()?;
        if loc == NO_LOC {
            return Some(first);
        }
        let (at, entry) = self.waiting(thread).find(|(_, entry)| entry.loc == loc)?;
        (entry.epoch == oldest.epoch || Mutant::EpochsIgnored.is_active()).then_some(at)
    }

    /// An entry was flushed.
    pub fn flush(&mut self, thread: usize, at: usize) {
        let thread = &mut self.threads[thread];
        thread.entries[at].is_flushed = true;
        thread.pending -= 1;
        while thread.entries.get(thread.head).is_some_and(|entry| entry.is_flushed) {
            thread.head += 1;
        }
    }

    /// It was not flushed after all.
    pub fn unflush(&mut self, thread: usize, at: usize) {
        let thread = &mut self.threads[thread];
        thread.entries[at].is_flushed = false;
        thread.pending += 1;
        thread.head = thread.head.min(at);
    }

    /// One more than the place of the last step of a process that flushes a thread's stores; 0 if it made none.
    pub fn last_flush(&self, thread: usize, at: usize) -> usize {
        self.last[self.threads[thread].flushers[at] as usize] as usize
    }
}
