//! What is needed to run one execution again: which thread goes on, what each read reads, where each write stands.
//!
//! A trace holds no values, no places in the source and no verdict. Threads make their events again when it is followed
//! (`search/replay.rs`), so all that is reported of them is found out anew.

/// One execution, as the choices that lead to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The names of the threads by number: a report calls threads by their numbers.
    pub(crate) threads: Vec<u32>,
    /// The events in the order in which the search has them.
    pub(crate) events: Vec<TraceEvent>,
    /// Of a run with store buffers: the stores that reached memory, in their order.
    pub(crate) flushes: Vec<Flushed>,
    /// Threads, by number, that wait for a lock for ever and have no event for that.
    pub(crate) waiting: Vec<u32>,
    /// Where the order of critical sections counts and events do not show it: pairs of events, by place, the first before
    /// the second.
    pub(crate) sections: Vec<(u32, u32)>,
}

/// One event of a [`Trace`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TraceEvent {
    /// The thread by number.
    pub thread: u32,
    pub source: TraceSource,
    /// Of a write: how many writes of its location are older and stand behind it.
    pub overtaken: u32,
    /// The value, for a choice.
    pub chosen: u64,
    /// Is it an update that wrote?
    pub update: bool,
    /// Did a violation stop its thread at it?
    pub failed: bool,
    /// Is it a compare-exchange that failed although the values agree?
    pub spurious: bool,
}

/// What an event reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TraceSource {
    #[default]
    Nothing,
    Initial,
    /// The event at this place of the trace.
    Event(u32),
}

/// A store that left its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flushed {
    /// Its place in the trace.
    pub event: u32,
    /// How many events there were before.
    pub after: u32,
}

impl Trace {
    /// Is there nothing to follow? So it is for witnesses that no search made.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.threads.is_empty()
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.events.len()
    }
}
