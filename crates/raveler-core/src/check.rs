//! What can be wrong with a graph: each question is asked here, in one place, for every search
//! (docs/engine.md, "What is checked on each graph").
//!
//! Every graph that a search visits is consistent. So where the graph orders all that can be ordered, what is
//! found here is really wrong. Where critical sections are left unordered, a finding holds only under its
//! [`Condition`] and only if the graph can be reached, which the lock-aware search finds out
//! (`search/lock_aware/realizable.rs`).

pub(crate) mod deadlock;
pub(crate) mod destroy;
pub(crate) mod liveness;
pub(crate) mod lock;
pub(crate) mod memory;
pub(crate) mod parts;
pub(crate) mod race;
mod way_out;

use crate::graph::{Event, Graph, Kind, NO_LOC, ThreadStatus};
use crate::id::{EventId, SiteId, ThreadId};
use crate::outcome::{Related, Violation, ViolationKind, Witness};
use crate::program::Program;
use crate::program::action::Part;
use crate::run::Run;
use crate::run::memory_map::Initial;
use crate::run::resolve::Request;

/// Something that is wrong if its condition holds.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Without a witness.
    pub violation: Violation,
    pub condition: Condition,
    /// The last events that belong to it: these and their past are enough to show it.
    pub tips: Vec<EventId>,
    /// Its thread stops.
    pub stops: bool,
    /// Nothing is wrong, but what the program does is not supported: the search ends without a verdict.
    pub refuses: bool,
}

/// What must hold of two events; where critical sections are left unordered, in some order of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    Always,
    /// Neither happens before the other.
    Unordered(EventId, EventId),
    /// Neither happens before the other, nor would if the later one read something else.
    Apart(EventId, EventId),
    /// The first does not happen before the second.
    NotBefore(EventId, EventId),
    /// The call that made the first as its last event may not have returned at the second: nothing that its thread did
    /// afterwards happens before the second, and no join of the thread does.
    NotReturned(EventId, EventId),
    /// The first, a use, neither happens before the second, which destroys what is used, nor after a later
    /// initialisation of it.
    UsedWhenDestroyed(EventId, EventId),
    /// The first, a use, does not happen after the second, which initialises what is used; and what is used is not
    /// destroyed between them.
    UsedWhenInitialised(EventId, EventId),
    /// What both initialise is not destroyed between them.
    InitialisedTwice(EventId, EventId),
    /// The lock that the first took is not released before the second, and not taken after it.
    Held(EventId, EventId),
    /// No signal has chosen the thread that began to wait by the first event, which does not come after the second.
    Awaits(EventId, EventId),
}

impl Condition {
    /// May it hold, in this graph or in some order of sections? Where all sections have their order, happens-before decides
    /// it at once, and a finding need not be made.
    pub fn may_hold<P: Program>(self, run: &Run<'_, P>, graph: &Graph) -> bool {
        run.tables.locks.leaves_any_unordered() || self.holds(graph)
    }

    /// Does it hold, by what the graph knows of happens-before?
    pub fn holds(self, graph: &Graph) -> bool {
        self.holds_where(graph, |a, b| Graph::in_row(graph.hb(b), a))
    }

    /// Does it hold in a graph where `before` says what happens before what?
    pub fn holds_where(self, graph: &Graph, before: impl Fn(EventId, EventId) -> bool) -> bool {
        match self {
            Condition::Always => true,
            Condition::Unordered(a, b) => !before(a, b) && !before(b, a),
            Condition::Apart(a, b) => {
                let settled = |a: EventId, b: EventId| {
                    let earlier = graph.before_in_thread(b);
                    !earlier.is_init() && (a == earlier || before(a, earlier))
                };
                !settled(a, b) && !settled(b, a)
            }
            Condition::NotBefore(a, b) => !before(a, b),
            Condition::NotReturned(last, end) => {
                let joins = |&&id: &&EventId| {
                    let event = graph.event(id);
                    event.joins_thread() && event.child() == last.thread() && before(id, end)
                };
                !before(EventId::new(last.thread() as u32, last.index() + 1), end)
                    && !graph.order.iter().any(|id| joins(&id))
            }
            Condition::UsedWhenDestroyed(used, destroyed) => {
                let mut renewals = destroy::events_of(graph, Kind::Initialise, graph.event(destroyed).word());
                !before(used, destroyed)
                    && !renewals.any(|renewed| before(destroyed, renewed) && before(renewed, used))
            }
            Condition::UsedWhenInitialised(used, initialised) => {
                let mut ends = destroy::events_of(graph, Kind::Destroy, graph.event(initialised).word());
                !before(initialised, used) && !ends.any(|end| before(used, end) && before(end, initialised))
            }
            Condition::InitialisedTwice(a, b) => {
                let mut ends = destroy::events_of(graph, Kind::Destroy, graph.event(b).word());
                !ends.any(|end| before(a, end) && before(end, b) || before(b, end) && before(end, a))
            }
            Condition::Held(taken, end) => {
                !before(end, taken)
                    && !destroy::release_of(graph, taken).is_some_and(|released| before(released, end))
            }
            Condition::Awaits(begun, end) => !before(end, begun) && destroy::awaits(graph, begun),
        }
    }
}

impl Finding {
    /// A finding about a thread, at a site.
    pub fn new(kind: ViolationKind, message: impl Into<String>, thread: usize, site: SiteId) -> Finding {
        let violation = Violation {
            kind,
            message: message.into(),
            thread: ThreadId(thread as u32),
            site,
            event: None,
            related: Vec::new(),
            witness: Witness::default(),
        };
        Finding { violation, condition: Condition::Always, tips: Vec::new(), stops: false, refuses: false }
    }

    /// A finding about an event.
    pub fn at<P: Program>(
        run: &Run<'_, P>,
        graph: &Graph,
        id: EventId,
        kind: ViolationKind,
        message: &str,
    ) -> Finding {
        let mut finding = Finding::new(kind, message, id.thread(), run.site(graph, id));
        finding.violation.event = Some(id);
        finding.tips.push(id);
        finding
    }

    /// The finding concerns another event, too, and holds under this condition.
    pub fn with(mut self, related: Related, condition: Condition) -> Finding {
        self.tips.extend(related.event);
        self.violation.related.push(related);
        self.condition = condition;
        self
    }

    /// It is no mistake of the program, but not supported.
    pub fn refusing(mut self) -> Finding {
        self.refuses = true;
        self
    }

    /// Its thread stops.
    pub fn stopping(mut self) -> Finding {
        self.stops = true;
        self
    }
}

/// Is the request of a thread that was just asked wrong in itself? Then the thread stops.
pub(crate) fn request<P: Program>(run: &mut Run<'_, P>, graph: &mut Graph, thread: usize) -> Option<Finding> {
    if let Some(failure) = lock::request(run, graph, thread) {
        let state = run.states.detach(graph.threads[thread].state);
        graph.threads[thread].state = state;
        let step = &mut run.states[state as usize].step;
        step.request = Request::Fail(Box::new(failure));
        step.loc = NO_LOC;
        graph.status[thread] = ThreadStatus::Stuck;
    }
    failed(run, graph, thread)
}

/// The finding of a thread that stopped because its request is wrong.
pub(crate) fn failed<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> Option<Finding> {
    let step = run.step(graph, thread);
    let Request::Fail(failure) = &step.request else { return None };
    let mut finding = Finding::new(failure.kind, failure.message.clone(), thread, step.site);
    finding.violation.related.clone_from(&failure.related);
    finding.tips.push(graph.tip(thread));
    Some(finding)
}

/// What is wrong with an event that was just added, an access with its label? Findings are added to `found`.
pub(crate) fn event<P: Program>(run: &Run<'_, P>, graph: &Graph, id: EventId, found: &mut Vec<Finding>) {
    match graph.event(id).kind {
        Kind::Read | Kind::Write | Kind::Update if nothing_can_be_wrong(run, graph.event(id)) => {}
        Kind::Read | Kind::Write | Kind::Update => {
            memory::access(run, graph, id, found);
            destroy::use_of_object(run, graph, id, found);
            parts::access(run, graph, id, found);
            parts::load(run, graph, id, found);
            if run.settings.races {
                race::access(run, graph, id, found);
            }
        }
        Kind::Join if graph.event(id).loc == NO_LOC => {}
        Kind::Lock | Kind::Unlock | Kind::Join => {
            memory::use_of_lock(run, graph, id, found);
            destroy::use_of_object(run, graph, id, found);
        }
        Kind::Free => memory::free(run, graph, id, found),
        Kind::Initialise => {
            memory::use_of_lock(run, graph, id, found);
            destroy::initialise(run, graph, id, found);
        }
        Kind::Destroy => {
            memory::use_of_lock(run, graph, id, found);
            destroy::destroy(run, graph, id, found);
        }
        _ => {}
    }
    if run.settings.races {
        race::allocation(run, graph, id, found);
    }
}

/// An access to all of a location that is there from the start, has a value, and is no object that begins or ends; where
/// races are not asked for.
#[inline]
fn nothing_can_be_wrong<P: Program>(run: &Run<'_, P>, access: &Event) -> bool {
    let location = &run.tables.memory.locations[access.loc as usize];
    let is_plain_memory = location.within.is_none() && matches!(location.initial, Initial::Value(_));
    is_plain_memory
        && !location.changed_in_parts
        && access.part == Part::Whole
        && !run.settings.races
        && !run.tables.locks.has_lives()
}
