//! Counters: updates of one location of which nobody looks at the results, in no order (docs/reductions.md, "Counters").
//!
//! Such an update is an event that reads and writes nothing, a *count*. Who reads the location later adds what was counted before
//! to what it reads. That is right where nobody can see the order of the counts. Two things are asked when an event is
//! added ([`refuted_by`]), so that they hold in every graph that is visited:
//!
//! - every other access to the location happens before a count or after it, the writes before;
//! - what happens after a count that acquires happens after all counts, or they happen after it.
//!
//! If one of them does not hold, the search starts again, with the updates of that location in their order.

use super::Run;
use super::lock_table::LockHandling;
use super::resolve::{Request, Step};
use crate::graph::{Event, EventTag, Graph, Kind, Loc, NO_LOC};
use crate::id::EventId;
use crate::models::{ConsistencyKind, FromReads, Model, PreservedOrder, Synchronisation};
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{Order, Part, UpdateOp, Value, Width};

/// Updates of one kind commute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountKind {
    Sum,
    And,
    Or,
    Xor,
}

/// The kind of an update, if it commutes with others of it.
pub(crate) fn kind(op: UpdateOp) -> Option<CountKind> {
    match op {
        UpdateOp::Add(_) | UpdateOp::Sub(_) => Some(CountKind::Sum),
        UpdateOp::And(_) => Some(CountKind::And),
        UpdateOp::Or(_) => Some(CountKind::Or),
        UpdateOp::Xor(_) => Some(CountKind::Xor),
        _ => None,
    }
}

/// What a count adds to the value, or combines with it.
pub(super) fn operand(op: UpdateOp) -> Value {
    match op {
        UpdateOp::Sub(value) => value.wrapping_neg(),
        UpdateOp::Add(value) | UpdateOp::And(value) | UpdateOp::Or(value) | UpdateOp::Xor(value) => value,
        _ => 0,
    }
}

/// Does an update certainly leave the value as it is: has its thread made one before that does the same?
pub(super) fn changes_nothing<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    thread: usize,
    (loc, op): (Loc, UpdateOp),
) -> bool {
    let none = if matches!(op, UpdateOp::And(_)) { Value::MAX } else { 0 };
    let before = match kind(op) {
        Some(CountKind::And | CountKind::Or) => {
            let own = counts_of(graph, loc).filter(|count| count.thread() == thread);
            own.fold(none, |value, count| run.count(graph, count, value))
        }
        _ => none,
    };
    op.apply(before, Width::B8) == Some(before)
}

/// Which updates tell who goes on after them what was done before others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handing {
    /// None: memory has one order, and accesses alone tell of it.
    Nothing,
    /// Those that acquire as written, and those before an acquire fence.
    AsWritten,
    /// All.
    All,
}

fn handing(model: Model) -> Handing {
    match model.definition().consistency {
        ConsistencyKind::GlobalOrder(rules) if rules.from_reads == FromReads::Ordered => Handing::Nothing,
        ConsistencyKind::GlobalOrder(_) | ConsistencyKind::HappensBefore(Synchronisation::Always) => {
            Handing::All
        }
        ConsistencyKind::HappensBefore(Synchronisation::C11(..)) => Handing::AsWritten,
        ConsistencyKind::BuiltOn(model) => handing(model),
    }
}

impl<P: Program> Run<'_, P> {
    /// Let updates whose results play no role be in no order, if that is in force, and right as far as is known.
    pub fn count_in_no_order(mut self, handling: LockHandling) -> Self {
        self.tables.counts = self.settings.reductions_in_force().counters
            && handling != LockHandling::Unordered
            && self.program.world().is_none();
        self
    }

    /// The value that a read, the last event of its thread, finds when it reads from this write.
    #[inline]
    pub fn value_read(&self, graph: &Graph, read: EventId, source: EventId) -> Value {
        let loc = graph.event(read).loc;
        let value = self.value_of(graph, loc, source);
        if graph.counts.is_empty() || Mutant::CountsLost.is_active() {
            return value;
        }
        let before = graph.before_in_thread(read);
        self.with_counts(graph, loc, value, |count| happened(graph, before, count))
    }

    /// The value that a location has at the end of an execution in which this is its last write.
    pub fn value_at_last(&self, graph: &Graph, loc: Loc, write: EventId) -> Value {
        self.with_counts(graph, loc, self.value_of(graph, loc, write), |_| true)
    }

    fn with_counts(&self, graph: &Graph, loc: Loc, value: Value, counts: impl Fn(EventId) -> bool) -> Value {
        let counts = counts_of(graph, loc).filter(|&count| counts(count));
        counts.fold(value, |value, count| self.count(graph, count, value))
    }

    /// The value after a count.
    fn count(&self, graph: &Graph, count: EventId, value: Value) -> Value {
        match self.step_of(graph.event(count)).request {
            Request::Count { op, width, .. } => op.apply(value, width).unwrap_or(value),
            _ => value,
        }
    }
}

/// The counts of a location.
fn counts_of(graph: &Graph, loc: Loc) -> impl Iterator<Item = EventId> + '_ {
    graph.counts.iter().copied().filter(move |&count| graph.event(count).loc == loc)
}

/// Is this event the tip of a thread, or does it happen before it?
fn happened(graph: &Graph, tip: EventId, event: EventId) -> bool {
    event.is_init() || !tip.is_init() && (event == tip || Graph::in_row(graph.hb(tip), event))
}

/// A thread is about to make this event. The location of which it shows that the order of its updates can be seen, if it does.
#[inline]
pub(super) fn refuted_by<P: Program>(
    run: &Run<'_, P>,
    graph: &Graph,
    thread: usize,
    event: &Event,
) -> Option<Loc> {
    if !run.tables.counts || graph.counts.is_empty() && event.kind != Kind::Count {
        return None;
    }
    let next = Next { run, graph, thread, tip: graph.tip(thread), event };
    let is_seen = match event.kind {
        Kind::Count => !next.may_count(),
        _ => event.loc != NO_LOC && !next.may_access(),
    };
    if is_seen { Some(event.loc) } else { next.handed_on() }
}

/// An event that is about to be made.
struct Next<'a, P: Program> {
    run: &'a Run<'a, P>,
    graph: &'a Graph,
    thread: usize,
    /// What comes directly before it.
    tip: EventId,
    event: &'a Event,
}

impl<P: Program> Next<'_, P> {
    fn happened(&self, event: EventId) -> bool {
        happened(self.graph, self.tip, event)
    }

    /// The request that makes it.
    fn step(&self) -> &Step {
        &self.run.states[self.event.state as usize].step
    }

    /// Is the access ordered with all counts of its location, and does it not write what was counted?
    fn may_access(&self) -> bool {
        let mut counts = counts_of(self.graph, self.event.loc).peekable();
        if counts.peek().is_none() {
            return true;
        }
        if matches!(self.step().request, Request::Read(_)) && self.event.part == Part::Whole {
            return Mutant::CountsBeside.is_active() || counts.all(|count| self.happened(count));
        }
        Mutant::CountsBeforeWrites.is_active()
    }

    /// May the event be a count: is it ordered with all other accesses to its location, of the same kind as other counts,
    /// and is nothing else to be asked of it?
    fn may_count(&self) -> bool {
        let Next { run, graph, event, .. } = *self;
        let Request::Count { op, .. } = self.step().request else { return false };
        let same = |count: EventId| match run.step_of(graph.event(count)).request {
            Request::Count { op: other, .. } => kind(op) == kind(other),
            _ => false,
        };
        let is_of_one_kind = Mutant::KindsMixed.is_active() || counts_of(graph, event.loc).all(same);
        is_of_one_kind && self.comes_after_accesses() && self.finds_what_was_set() && self.is_alive()
    }

    /// Does every other access to the location happen before it, and is it over?
    fn comes_after_accesses(&self) -> bool {
        let Next { run, graph, event, .. } = *self;
        let mut all = true;
        graph.each_access(event.loc, |other, access| {
            let passed_over = match access.kind {
                Kind::Read => Mutant::CountsBeside.is_active(),
                _ => Mutant::CountsBeforeWrites.is_active(),
            };
            all &= passed_over || self.happened(other) && (!access.kind.writes() || self.has_left(other));
        });
        all && !run.tables.memory.locations[event.loc as usize].changed_in_parts
    }

    /// Has a write that happens before the event left its store buffer? Under PSO that is not said by what came out of
    /// the buffer later.
    fn has_left(&self, write: EventId) -> bool {
        let Next { run, graph, tip, .. } = *self;
        let is_pso = matches!(
            run.settings.model.definition().consistency,
            ConsistencyKind::GlobalOrder(rules) if rules.preserved == PreservedOrder::StoresOfOneLocation
        );
        // The event itself empties the buffer of its thread.
        if !is_pso || Mutant::CountsBeforeStores.is_active() || write.thread() == self.thread {
            return true;
        }
        let known = match tip.is_init() {
            true => 0,
            false if tip.thread() == write.thread() => tip.index() as usize + 1,
            false => usize::from(graph.porf(tip)[write.thread()]),
        };
        let later = &graph.threads[write.thread()].events[write.index() as usize..known];
        later.iter().any(|event| match event.kind {
            Kind::Update | Kind::Count | Kind::Spawn | Kind::Join => true,
            Kind::Fence => event.order == Order::SeqCst,
            _ => event.tag == EventTag::Rmw,
        })
    }

    /// Was all of the value set that the counts change?
    fn finds_what_was_set(&self) -> bool {
        let Next { run, graph, event, .. } = *self;
        let hints = run.program.hints();
        let writes = graph.accesses.get(event.loc as usize).map_or(&[][..], |place| &place.writes);
        let is_set = |&write: &EventId| {
            let write = graph.event(write);
            write.part == Part::Whole && hints.unset(&run.states[write.state as usize].cursor) == 0
        };
        (!writes.is_empty() || run.initial(graph, event.loc).is_some())
            && (!hints.has_unset() || writes.iter().all(is_set))
    }

    /// Is there no doubt that the memory is there? What happens before a count is not all known.
    fn is_alive(&self) -> bool {
        let Next { run, graph, event, .. } = *self;
        let location = &run.tables.memory.locations[event.loc as usize];
        if run.tables.locks.has_life(location.address) || location.address.of_word().is_some() {
            return false;
        }
        let Some(within) = location.within else { return true };
        let allocator = run.tables.threads.known(u64::from(within.thread));
        let made = allocator.and_then(|thread| graph.allocation(thread, within.nth));
        made.is_some_and(|made| self.happened(made))
            && graph.frees.iter().all(|&free| graph.event(free).freed() != within)
    }

    /// The location of a count that tells of other counts, or of what was done before them, if there is one: what happens
    /// after it is not ordered with all of them.
    fn handed_on(&self) -> Option<Loc> {
        let Next { run, graph, event, .. } = *self;
        let mut handing = handing(run.settings.model);
        if handing == Handing::Nothing && self.may_end_lives() {
            handing = Handing::All;
        }
        if handing == Handing::Nothing || Mutant::CountsHandOn.is_active() {
            return None;
        }
        let beside: Vec<EventId> =
            graph.counts.iter().copied().filter(|&count| !self.happened(count)).collect();
        if event.kind == Kind::Count {
            let told = beside.iter().find(|&&count| is_handed_on(graph, handing, count));
            return told.map(|&count| graph.event(count).loc);
        }
        if beside.is_empty() || is_silent(event) {
            return None;
        }
        // Those beside the event must come after a count of which it hears.
        let comes_before = |count, other| Graph::in_row(graph.hb(other), count);
        let told = |&&count: &&EventId| {
            self.hears(handing, count) && !beside.iter().all(|&other| comes_before(count, other))
        };
        graph.counts.iter().find(told).map(|&count| graph.event(count).loc)
    }

    /// Is there anything that must happen before a free, or an end of another life? That asks for happens-before in each model.
    fn may_end_lives(&self) -> bool {
        let Next { run, graph, event, .. } = *self;
        matches!(event.kind, Kind::Free | Kind::Initialise | Kind::Destroy)
            || !graph.frees.is_empty()
            || run.tables.locks.has_lives()
    }

    /// Does the event happen after this count, and might it know by that what happened before others?
    fn hears(&self, handing: Handing, count: EventId) -> bool {
        let event = self.event;
        if !self.happened(count) {
            return false;
        }
        let is_fence = event.kind == Kind::Fence && !Mutant::CountsBeforeFences.is_active();
        acquires(self.graph, handing, count)
            || is_fence && event.order == Order::SeqCst
            || is_fence && event.order.acquires() && count.thread() == self.thread
    }
}

/// What happens before such an event plays no role but for what comes after it.
fn is_silent(event: &Event) -> bool {
    matches!(event.kind, Kind::Count | Kind::Spawn | Kind::Join | Kind::Choose | Kind::Observe)
}

/// Does a count acquire, by itself or by a fence behind it?
fn acquires(graph: &Graph, handing: Handing, count: EventId) -> bool {
    let after = &graph.threads[count.thread()].events[count.index() as usize..];
    let fence = |event: &Event| {
        event.kind == Kind::Fence && event.order.acquires() && !Mutant::CountsBeforeFences.is_active()
    };
    handing == Handing::All || graph.event(count).order.acquires() || after.iter().any(fence)
}

/// Does anything happen after a count that might know by that what happened before others?
fn is_handed_on(graph: &Graph, handing: Handing, count: EventId) -> bool {
    let acquires = acquires(graph, handing, count);
    let hears = |event: &Event| {
        !is_silent(event)
            && (acquires
                || event.kind == Kind::Fence
                    && event.order == Order::SeqCst
                    && !Mutant::CountsBeforeFences.is_active())
    };
    graph.threads.iter().enumerate().any(|(thread, log)| {
        let events = log.events.iter().enumerate().rev();
        let after = events.take_while(|&(i, _)| {
            let id = EventId::new(thread as u32, i as u32);
            id != count && Graph::in_row(graph.hb(id), count)
        });
        after.into_iter().any(|(_, event)| hears(event))
    })
}

/// Of more counts it is not asked whether they happen one after the other.
const MANY: usize = 64;

/// A graph to which nothing can be added: tell the program if some order of counts was left out.
pub(crate) fn tell<P: Program>(run: &Run<'_, P>, graph: &Graph) {
    let free = |a: EventId, b: EventId| {
        a != b
            && graph.event(a).loc == graph.event(b).loc
            && !Graph::in_row(graph.hb(a), b)
            && !Graph::in_row(graph.hb(b), a)
    };
    let counts = &graph.counts[..];
    if counts.len() > MANY || counts.iter().any(|&a| counts.iter().any(|&b| free(a, b))) {
        run.program.hints().left_out_orders();
    }
}
