//! Reader-writer locks that some thread tries.
//!
//! A try that fails has seen that a thread holds the lock. A mutex that is tried is a word in memory for that
//! reason, but as a word a reader-writer lock would order its readers, and let them synchronise. So its
//! sections stay unordered, and each thread has a word for each such lock that says how it holds the lock,
//! written right after acquiring it and right before releasing it. A try chooses: it takes the lock, or it
//! fails because of one of the threads that ever take it, and reads in that thread's word that it holds the
//! lock. These accesses are relaxed. What the program requests is thus made in several parts, which no report
//! shows ([`crate::Execution::witness`]).

use super::memory_map::LocationUse;
use super::resolve::{LockUse, Request, Resolver, Step};
use super::states::States;
use super::tables::Tables;
use crate::graph::{Event, EventTag, Graph, Kind, Loc, NO_LOC};
use crate::id::{Address, AllocationId, EventId, WordOf};
use crate::mutation::Mutant;
use crate::program::action::{LockMode, Order, Part, UpdateOp, Value, Width};

/// What follows an event before the program is asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MicroStep {
    /// Nothing.
    Ask,
    /// Nothing: this is a fence that the program does not have ([`crate::Settings::fences`]), and does not count.
    Inserted,
    /// The lock was taken: next the thread writes that into its word, then the program gets this answer.
    Say { number: u32, mode: LockMode, answer: u8 },
    /// The word was written: the program gets this answer.
    Answer(u8),
    /// A reader took the lock once more, its word says so already: the program is answered 1.
    Taken,
    /// The word says that the thread no longer holds the lock: next the lock is released.
    Release { lock: Loc },
    /// The value was chosen: 0 to take the lock, otherwise which of the possible holders, counted from 1,
    /// makes the try fail.
    Try {
        lock: Loc,
        number: u32,
        mode: LockMode,
        /// The thread holds it already, as a reader.
        again: bool,
    },
    /// The thread read its own word: the try fails since it holds the lock itself.
    Own { number: u32 },
    /// The word of another thread was read: the try fails if that thread holds the lock in a mode that
    /// excludes this one.
    Missed { number: u32, mode: LockMode },
}

/// How a request goes on.
pub(crate) enum Next {
    /// The program is asked, with this answer to its last request.
    Ask(Value),
    /// The request has another part.
    Part(Step),
}

/// Read a thread's word: a compare-exchange that never succeeds, since words hold 0, 1 or 2. It is an update,
/// not a read, because a failed try drains store buffers.
const LOOK: Request = Request::Update {
    order: Order::Relaxed,
    op: UpdateOp::CompareExchange { expected: 3, desired: 3, failure: Order::Relaxed, weak: false },
    width: Width::B1,
    lock: LockUse::None,
};

/// What the word of a thread says when the thread holds the lock in this mode; 0 if it does not hold it.
fn as_value(mode: LockMode) -> Value {
    match mode {
        LockMode::Shared => 1,
        LockMode::Exclusive => 2,
    }
}

impl MicroStep {
    /// After this, may a word with this value be read? One that is read to explain a failed try must say that
    /// the lock is held in a mode that excludes the tried one.
    pub fn wants(self, value: Value) -> bool {
        match self {
            MicroStep::Missed { .. } if Mutant::ReadersMissed.is_active() => value > 0,
            MicroStep::Missed { mode, .. } => value + as_value(mode) > 2,
            _ => true,
        }
    }

    /// What the program is answered after the last part of its request, where that is not the answer to the
    /// event itself.
    pub fn final_answer(self) -> Option<Value> {
        match self {
            MicroStep::Answer(answer) => Some(Value::from(answer)),
            MicroStep::Taken => Some(1),
            MicroStep::Own { .. } | MicroStep::Missed { .. } => Some(0),
            _ => None,
        }
    }

    /// Is an event with this the last part of a request?
    pub fn is_last(self) -> bool {
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
pub(super) fn lock(at: &mut Resolver<'_>, (address, lock): (Address, Loc), mode: LockMode) -> MicroStep {
    let Some(number) = at.tables.locks.tried(address) else { return MicroStep::Ask };
    at.meet_holder(address, mode);
    // A thread that holds the lock as a reader may take it again: its word says so already.
    match at.graph.held(at.thread, lock) {
        Some(_) => MicroStep::Ask,
        None => MicroStep::Say { number, mode, answer: 0 },
    }
}

/// A thread tries to take such a lock. The first part of the request.
pub(super) fn try_lock(at: &mut Resolver<'_>, (address, lock): (Address, Loc), mode: LockMode) -> Step {
    let number = at.tables.locks.tried(address).expect("a lock that is tried");
    at.meet_holder(address, mode);
    let name = at.tables.threads.name(at.thread);
    let own = at.graph.held(at.thread, lock).map(|id| at.graph.event(id).lock_mode());
    if own.is_some_and(|own| own.excludes(mode)) {
        return at.look(number, name, MicroStep::Own { number });
    }
    let high = at.tables.locks.holders(number, name, mode).count() as i64;
    Step {
        site: at.site,
        loc: NO_LOC,
        request: Request::Choose { low: 0, high },
        part: Part::Whole,
        then: MicroStep::Try { lock, number, mode, again: own.is_some() },
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

/// A thread releases a lock that is tried. The first part of the request; none if the word does not change.
pub(super) fn unlock(at: &mut Resolver<'_>, lock: Loc) -> Option<Step> {
    if Mutant::HeldForEver.is_active() {
        return None;
    }
    let number = at.tables.locks.tried(at.tables.memory.locations[lock as usize].address)?;
    let name = at.tables.threads.name(at.thread);
    // Of nested sections of a reader only the outermost changes the word.
    (depth(at.graph, at.thread, lock) == 1).then(|| at.write(number, name, 0, MicroStep::Release { lock }))
}

/// The next part of a request after an event with this `then`; `answer` is the answer to the event.
pub(super) fn follow(at: &mut Resolver<'_>, then: MicroStep, answer: Value) -> Next {
    let site = at.site;
    let step = |loc, request, then| Step { site, loc, request, part: Part::Whole, then };
    let thread = at.tables.threads.name(at.thread);
    Next::Part(match then {
        MicroStep::Ask | MicroStep::Inserted => return Next::Ask(answer),
        MicroStep::Answer(answer) => return Next::Ask(Value::from(answer)),
        MicroStep::Say { number, mode, answer } => {
            at.write(number, thread, as_value(mode), MicroStep::Answer(answer))
        }
        MicroStep::Release { lock } => step(lock, Request::Unlock, MicroStep::Ask),
        MicroStep::Try { lock, number, mode, again } if answer == 0 => {
            let then = if again { MicroStep::Taken } else { MicroStep::Say { number, mode, answer: 1 } };
            step(lock, Request::Lock { mode, waits: false }, then)
        }
        MicroStep::Try { number, mode, .. } => {
            let holder = at.tables.locks.holders(number, thread, mode).nth(answer as usize - 1);
            let holder = holder.expect("a thread that was counted");
            at.look(number, holder, MicroStep::Missed { number, mode })
        }
        MicroStep::Taken => return Next::Ask(1),
        MicroStep::Own { .. } => return Next::Ask(0),
        MicroStep::Missed { .. } if then.wants(answer) => return Next::Ask(0),
        MicroStep::Missed { .. } => step(NO_LOC, Request::Dropped, MicroStep::Ask),
    })
}

impl Resolver<'_> {
    /// The thread takes a lock that is tried: if it was not known to, the search restarts.
    fn meet_holder(&mut self, lock: Address, mode: LockMode) {
        let name = self.tables.threads.name(self.thread);
        let unknown = self.tables.locks.meet_holder(lock, name, mode);
        self.tables.learn(unknown);
    }

    /// The word in which a thread says how it holds a lock.
    fn word(&mut self, number: u32, thread: u32) -> Result<Loc, Request> {
        let address = Address::hold(u64::from(number), u64::from(thread));
        let address =
            address.ok_or_else(|| Request::Unsupported("too many reader-writer locks are tried".into()))?;
        let loc = self.location(address, Width::B1, LocationUse::Word)?;
        // It lives as long as the lock.
        let lock = self.tables.locks.tried_address(number);
        let within = match lock.of_word() {
            Some(WordOf::Memory(memory)) => AllocationId::at(memory).map(|(within, _)| within),
            _ => None,
        };
        self.tables.memory.locations[loc as usize].within = within;
        Ok(loc)
    }

    fn look(&mut self, number: u32, thread: u32, then: MicroStep) -> Step {
        let site = self.site;
        match self.word(number, thread) {
            Ok(loc) => Step { site, loc, request: LOOK, part: Part::Whole, then },
            Err(request) => Step { site, loc: NO_LOC, request, part: Part::Whole, then },
        }
    }

    fn write(&mut self, number: u32, thread: u32, value: Value, then: MicroStep) -> Step {
        let site = self.site;
        match self.word(number, thread) {
            Ok(loc) => {
                let request = Request::Write { order: Order::Relaxed, value, tag: EventTag::Holds };
                Step { site, loc, request, part: Part::Whole, then }
            }
            Err(request) => Step { site, loc: NO_LOC, request, part: Part::Whole, then },
        }
    }
}

/// How many of these events of a thread its last `requests` requests were made of.
pub(crate) fn events_of<C: Clone>(events: &[Event], states: &States<C>, requests: u32) -> u32 {
    let last = |i: &usize| states[events[*i].state as usize].step.then.is_last();
    let before = (0..events.len()).rev().filter(last).nth(requests as usize);
    (events.len() - before.map_or(0, |before| before + 1)) as u32
}

/// Is this event one of the parts of a request that reports do not show?
pub(crate) fn is_hidden<C: Clone>(graph: &Graph, states: &States<C>, id: EventId) -> bool {
    match states[graph.event(id).state as usize].step.then {
        MicroStep::Ask
        | MicroStep::Inserted
        | MicroStep::Say { .. }
        | MicroStep::Taken
        | MicroStep::Own { .. }
        | MicroStep::Missed { .. } => false,
        MicroStep::Answer(_) | MicroStep::Release { .. } | MicroStep::Try { .. } => true,
    }
}

/// If this event is a failed try: the lock, and the event by which another thread, or the thread itself,
/// holds it.
pub(crate) fn missed<C: Clone>(
    graph: &Graph,
    states: &States<C>,
    tables: &Tables,
    id: EventId,
) -> Option<(Address, EventId)> {
    let event = graph.event(id);
    match states[event.state as usize].step.then {
        // The thread that took the lock wrote its word with its next event. A word that nothing has written says that the
        // lock is not held: such a run comes to nothing.
        MicroStep::Missed { number, .. } | MicroStep::Own { number } if !event.rf.is_init() => {
            let taken = EventId::new(event.rf.thread() as u32, event.rf.index().checked_sub(1)?);
            Some((tables.locks.tried_address(number), taken))
        }
        _ => None,
    }
}
