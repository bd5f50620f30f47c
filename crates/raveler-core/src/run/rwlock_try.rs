//! Reader-writer locks that somebody tries.
//!
//! Who fails to take a lock has seen that somebody holds it. A mutex that is tried is a word in memory for that reason, but
//! as a word a reader-writer lock would order its readers, and let them synchronise. So its sections stay unordered, and
//! each thread has a word for each such lock: how it holds it, written behind taking it and before releasing it. A try
//! chooses: it takes the lock, or it fails because of one of the threads that ever take it, and reads from that one's
//! word that it holds the lock. All of this is relaxed. What the program asks for is thus made in parts, which no report
//! shows ([`crate::Execution::witness`]).

use super::resolve::{LockUse, Request, State, Step};
use super::tables::{LocationUse, Tables};
use crate::graph::{EventTag, Graph, Kind, Loc, NO_LOC};
use crate::id::{Address, EventId, SiteId};
use crate::mutation::Mutant;
use crate::program::action::{LockMode, Order, UpdateOp, Value, Width};
use crate::search::trust::check::held;

/// What comes behind an event before the program is asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MicroStep {
    /// Nothing.
    Ask,
    /// The lock was taken: the thread's word says so, then the program gets this answer.
    Say { number: u32, mode: LockMode, answer: u8 },
    /// The word said so: the program gets this answer.
    Answer(u8),
    /// The lock was taken once more: the program gets told.
    Taken,
    /// The word says that the thread holds the lock no longer: it is released.
    Release { lock: Loc },
    /// It was chosen whether to take the lock, or whom to find with it.
    Try {
        lock: Loc,
        number: u32,
        mode: LockMode,
        /// The thread holds it already, as a reader.
        again: bool,
    },
    /// The thread looked at its own word: it holds the lock itself.
    Own { number: u32 },
    /// The word of a thread was read: it must hold the lock so that it cannot be taken in this way.
    Missed { number: u32, mode: LockMode },
}

/// How a request goes on.
pub(crate) enum Next {
    /// The program is asked, with this answer to its last request.
    Ask(Value),
    /// It has another part.
    Part(Step),
}

/// Look at a thread's word: an update that never writes, since a failed one drains store buffers like any other.
const LOOK: Request = Request::Update {
    order: Order::Relaxed,
    op: UpdateOp::CompareExchange { expected: 3, desired: 3, failure: Order::Relaxed, weak: false },
    width: Width::B1,
    lock: LockUse::None,
};

/// What a thread's word says when it holds a lock.
fn as_value(mode: LockMode) -> Value {
    match mode {
        LockMode::Shared => 1,
        LockMode::Exclusive => 2,
    }
}

impl MicroStep {
    /// Does a word that says this keep a thread from taking the lock? Only then may the thread read it.
    pub fn wants(self, value: Value) -> bool {
        match self {
            MicroStep::Missed { .. } if Mutant::ReadersMissed.is_active() => value > 0,
            MicroStep::Missed { mode, .. } => value + as_value(mode) > 2,
            _ => true,
        }
    }

    /// Is it the last event of what the program asked for?
    fn is_last(self) -> bool {
        matches!(
            self,
            MicroStep::Ask
                | MicroStep::Answer(_)
                | MicroStep::Taken
                | MicroStep::Own { .. }
                | MicroStep::Missed { .. }
        )
    }
}

/// A thread takes a lock that is tried, waiting if necessary.
pub(super) fn lock(
    tables: &mut Tables,
    thread: usize,
    (address, lock): (Address, Loc),
    mode: LockMode,
    graph: &Graph,
) -> MicroStep {
    let Some(number) = tables.tried(address) else { return MicroStep::Ask };
    tables.meet_holder(address, tables.names[thread], mode);
    // A reader may read again: its word says so already.
    if held(graph, thread, lock).is_some() {
        MicroStep::Ask
    } else {
        MicroStep::Say { number, mode, answer: 0 }
    }
}

/// A thread tries to take such a lock.
pub(super) fn try_lock(
    tables: &mut Tables,
    thread: usize,
    (address, lock): (Address, Loc),
    mode: LockMode,
    site: SiteId,
    graph: &Graph,
) -> Step {
    let number = tables.tried(address).expect("a lock that is tried");
    tables.meet_holder(address, tables.names[thread], mode);
    let own = held(graph, thread, lock).map(|id| graph.event(id).read != 0);
    if own.is_some_and(|shared| !(shared && mode == LockMode::Shared)) {
        return look(tables, number, tables.names[thread], site, MicroStep::Own { number });
    }
    let again = own.is_some();
    let high = tables.holders(number, tables.names[thread], mode).count() as i64;
    Step {
        site,
        loc: NO_LOC,
        request: Request::Choose { low: 0, high },
        then: MicroStep::Try { lock, number, mode, again },
    }
}

/// How often a thread has taken a lock without releasing it.
fn depth(graph: &Graph, thread: usize, lock: Loc) -> usize {
    let events = graph.threads[thread].events.iter().filter(|event| event.loc == lock);
    events.fold(0, |depth: usize, event| match event.kind {
        Kind::Lock => depth + 1,
        _ => depth.saturating_sub(1),
    })
}

/// A thread releases a lock that is tried. None if that does not change its word.
pub(super) fn unlock(
    tables: &mut Tables,
    thread: usize,
    lock: Loc,
    site: SiteId,
    graph: &Graph,
) -> Option<Step> {
    if Mutant::HeldForEver.is_active() {
        return None;
    }
    let number = tables.tried(tables.locations[lock as usize].address)?;
    let name = tables.names[thread];
    // Only the last of several sections of a reader.
    (depth(graph, thread, lock) == 1)
        .then(|| write(tables, number, name, 0, site, MicroStep::Release { lock }))
}

/// Go on after an event that this comes behind; `answer` is the event's.
pub(crate) fn follow(then: MicroStep, answer: Value, thread: u32, site: SiteId, tables: &mut Tables) -> Next {
    let step = |loc, request, then| Step { site, loc, request, then };
    Next::Part(match then {
        MicroStep::Ask => return Next::Ask(answer),
        MicroStep::Answer(answer) => return Next::Ask(Value::from(answer)),
        MicroStep::Say { number, mode, answer } => {
            write(tables, number, thread, as_value(mode), site, MicroStep::Answer(answer))
        }
        MicroStep::Release { lock } => step(lock, Request::Unlock, MicroStep::Ask),
        MicroStep::Try { lock, number, mode, again } if answer == 0 => {
            let then = if again { MicroStep::Taken } else { MicroStep::Say { number, mode, answer: 1 } };
            step(lock, Request::Lock { mode, waits: false }, then)
        }
        MicroStep::Try { number, mode, .. } => {
            let holder = tables.holders(number, thread, mode).nth(answer as usize - 1);
            let holder = holder.expect("a thread that was counted");
            look(tables, number, holder, site, MicroStep::Missed { number, mode })
        }
        MicroStep::Taken => return Next::Ask(1),
        MicroStep::Own { .. } => return Next::Ask(0),
        MicroStep::Missed { .. } if then.wants(answer) => return Next::Ask(0),
        MicroStep::Missed { .. } => step(NO_LOC, Request::Dropped, MicroStep::Ask),
    })
}

fn word(tables: &mut Tables, number: u32, thread: u32, site: SiteId) -> Result<Loc, Request> {
    let address = Address::hold(u64::from(number), u64::from(thread));
    let address =
        address.ok_or_else(|| Request::Unsupported("too many reader-writer locks are tried".into()))?;
    let loc = tables.location(address, Width::B1, site)?;
    tables.use_as(loc, LocationUse::Word);
    Ok(loc)
}

fn look(tables: &mut Tables, number: u32, thread: u32, site: SiteId, then: MicroStep) -> Step {
    match word(tables, number, thread, site) {
        Ok(loc) => Step { site, loc, request: LOOK, then },
        Err(request) => Step { site, loc: NO_LOC, request, then },
    }
}

fn write(tables: &mut Tables, number: u32, thread: u32, value: Value, site: SiteId, then: MicroStep) -> Step {
    match word(tables, number, thread, site) {
        Ok(loc) => {
            let request = Request::Write { order: Order::Relaxed, value, tag: EventTag::None };
            Step { site, loc, request, then }
        }
        Err(request) => Step { site, loc: NO_LOC, request, then },
    }
}

/// How many events the last `requests` of a thread were made of.
pub(crate) fn events_of<C>(graph: &Graph, states: &[State<C>], thread: usize, requests: u32) -> u32 {
    let events = &graph.threads[thread].events;
    let last = |i: &usize| states[events[*i].state as usize].step.then.is_last();
    let before = (0..events.len()).rev().filter(last).nth(requests as usize);
    (events.len() - before.map_or(0, |before| before + 1)) as u32
}

/// Is this event a part of a request that reports do not show?
pub(crate) fn is_hidden<C>(graph: &Graph, states: &[State<C>], id: EventId) -> bool {
    match states[graph.event(id).state as usize].step.then {
        MicroStep::Ask
        | MicroStep::Say { .. }
        | MicroStep::Taken
        | MicroStep::Own { .. }
        | MicroStep::Missed { .. } => false,
        MicroStep::Answer(_) | MicroStep::Release { .. } | MicroStep::Try { .. } => true,
    }
}

/// If this event says that a lock that is tried is taken: the lock, and the event that took it.
pub(crate) fn missed<C>(
    graph: &Graph,
    states: &[State<C>],
    tables: &Tables,
    id: EventId,
) -> Option<(Address, EventId)> {
    let event = graph.event(id);
    match states[event.state as usize].step.then {
        // Who took it said so with its next event.
        MicroStep::Missed { number, .. } | MicroStep::Own { number } => {
            let taken = EventId::new(event.rf.thread() as u32, event.rf.index().checked_sub(1)?);
            Some((tables.tried_address(number), taken))
        }
        _ => None,
    }
}
