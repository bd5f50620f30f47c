//! One execution in a form in which two of them can be compared: threads of events, who read from whom, coherence.

use std::fmt;

use crate::program::Order;
pub use raveler_core::EventKind;

/// The write a read saw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The initial value.
    Init,
    /// The event of this thread with this index.
    Event(u8, u8),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Init => write!(f, "init"),
            Source::Event(thread, index) => write!(f, "{thread}.{index}"),
        }
    }
}

/// One event. An update that wrote is one event; a compare-exchange that failed is a read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// What it is.
    pub kind: EventKind,
    /// Its memory order; [`Order::Relaxed`] for what has none.
    pub order: Order,
    /// The location; locks come after the data locations.
    pub place: Option<u8>,
    /// The value read or chosen. Locks have none.
    pub read: Option<i64>,
    /// The value written. Locks have none.
    pub written: Option<i64>,
    /// The write it read from.
    pub source: Option<Source>,
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{}", self.kind, self.order.name())?;
        if let Some(place) = self.place {
            write!(f, "@{place}")?;
        }
        if let Some(read) = self.read {
            write!(f, " read {read}")?;
        }
        if let Some(source) = self.source {
            write!(f, " from {source:?}")?;
        }
        if let Some(written) = self.written {
            write!(f, " wrote {written}")?;
        }
        Ok(())
    }
}

/// Where a thread stands at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// It ended.
    Done,
    /// An assumption failed.
    Assume,
    /// An assertion failed.
    Failed,
    /// What it read last keeps it waiting.
    Condition,
    /// It waits for a thread.
    Join,
    /// It waits for a lock.
    Lock,
    /// It was never spawned.
    Absent,
}

/// The coherence order: per location (data, then locks) its writes without the initial one.
pub type Coherence = Vec<Vec<Source>>;

/// One execution without its coherence order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Graph {
    /// Events per thread.
    pub threads: Vec<Vec<Event>>,
    /// Where the threads stand.
    pub ends: Vec<End>,
}

impl Graph {
    /// Did every thread that was started end?
    pub fn complete(&self) -> bool {
        self.ends.iter().all(|end| matches!(end, End::Done | End::Absent))
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (thread, (events, end)) in self.threads.iter().zip(&self.ends).enumerate() {
            writeln!(f, "  thread {thread} ({end:?})")?;
            for (index, event) in events.iter().enumerate() {
                writeln!(f, "    {thread}.{index} {event:?}")?;
            }
        }
        Ok(())
    }
}

/// How one complete execution ends: the registers each thread uses, then the data locations.
pub type State = Vec<i64>;

/// A set of models, one bit for each in the order of [`raveler_core::Model::CAUSAL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Models(pub u16);

impl Models {
    /// All of them.
    pub const ALL: Models = Models((1 << raveler_core::Model::CAUSAL.len()) - 1);

    /// Just this one.
    pub fn only(model: raveler_core::Model) -> Models {
        Models(1 << model as u16)
    }

    /// Is it in the set?
    pub fn has(self, model: raveler_core::Model) -> bool {
        self.0 >> (model as u16) & 1 == 1
    }

    /// Puts it into the set.
    pub fn add(&mut self, model: raveler_core::Model) {
        self.0 |= 1 << model as u16;
    }

    /// Both sets together.
    pub fn or(self, other: Models) -> Models {
        Models(self.0 | other.0)
    }

    /// What is in both.
    pub fn and(self, other: Models) -> Models {
        Models(self.0 & other.0)
    }

    /// Has it none?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(
                raveler_core::Model::CAUSAL
                    .iter()
                    .filter(|model| self.has(**model))
                    .map(|model| model.name()),
            )
            .finish()
    }
}
