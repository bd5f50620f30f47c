//! What can be wrong with a request or an event: every visited graph is consistent, so what is wrong here is real.

use crate::consistency::Consistency;
use crate::graph::{EventTag, Graph, Kind, Loc, NO_LOC, NONE, ThreadStatus};
use crate::id::{EventId, SiteId, ThreadId};
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::{Related, StopReason, Violation, ViolationKind, Witness};
use crate::program::Program;
use crate::program::action::Order;

use super::{Explorer, Go};
use crate::run::resolve::{LockUse, Request};
use crate::run::tables::Failure;

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Is a new request wrong in itself? Every visited graph is consistent, so what is wrong here is really wrong.
    pub(in crate::search) fn check_step(&mut self, thread: usize, state: u32) -> bool {
        let step = &self.states[state as usize].step;
        let site = step.site;
        match &step.request {
            Request::Fail(trouble) => {
                let Failure { kind, message } = (**trouble).clone();
                self.violation(kind, message, thread, site, Vec::new());
            }
            Request::Unsupported(message) => {
                let message = message.clone();
                self.stop(StopReason::Unsupported { message, site });
            }
            Request::Write { tag: EventTag::Unlock, .. } => {
                let loc = step.loc;
                if !self.holds(thread, loc) {
                    self.fail_unlock(thread, state, |this, other| {
                        let graph = &this.levels.last().expect("a search has a level").graph;
                        let events = &graph.threads[other].events;
                        let taken =
                            events.iter().rposition(|event| event.loc == loc && event.kind == Kind::Update);
                        this.holds(other, loc)
                            .then_some(taken)
                            .flatten()
                            .map(|taken| EventId::new(other as u32, taken as u32))
                    });
                }
            }
            Request::Update { lock: LockUse::Wait, .. } => {
                let loc = step.loc;
                if self.holds(thread, loc) {
                    self.fail_step(
                        thread,
                        state,
                        ViolationKind::Deadlock,
                        "the thread waits for a lock it holds itself",
                    );
                }
            }
            Request::Unlock => {
                let loc = step.loc;
                if self.held(thread, loc).is_none() {
                    self.fail_unlock(thread, state, |this, other| this.held(other, loc));
                }
            }
            Request::Join { name } if self.tables.known_thread(*name).is_none() => {
                self.fail_step(
                    thread,
                    state,
                    ViolationKind::Other,
                    "join of a thread that was never spawned",
                );
            }
            _ => {}
        }
        self.stopped.is_none()
    }

    /// A thread releases a lock that it does not hold: does somebody else, and who?
    fn fail_unlock(&mut self, thread: usize, state: u32, held: impl Fn(&Self, usize) -> Option<EventId>) {
        let threads = self.levels.last().map_or(0, |level| level.graph.threads.len());
        let holder = (0..threads).find_map(|other| held(self, other));
        let (message, related) = match holder {
            Some(holder) => ("another thread holds it", vec![self.related("holds the lock", holder)]),
            None => ("", Vec::new()),
        };
        self.fail_step_with(thread, state, ViolationKind::UnlockNotHeld, message, related);
    }

    /// Replace a request by a violation.
    pub(in crate::search) fn fail_step(
        &mut self,
        thread: usize,
        state: u32,
        kind: ViolationKind,
        message: &str,
    ) {
        self.fail_step_with(thread, state, kind, message, Vec::new());
    }

    fn fail_step_with(
        &mut self,
        thread: usize,
        state: u32,
        kind: ViolationKind,
        message: &str,
        related: Vec<Related>,
    ) {
        let step = &mut self.states[state as usize].step;
        let site = step.site;
        step.request = Request::Fail(Box::new(Failure { kind, message: message.into() }));
        step.loc = NO_LOC;
        self.top_graph().status[thread] = ThreadStatus::Stuck;
        self.violation(kind, message.into(), thread, site, related);
    }

    /// Does the thread hold this lock?
    pub(in crate::search) fn holds(&self, thread: usize, loc: Loc) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let Some(place) = graph.accesses.get(loc as usize) else { return false };
        let mut i = place.last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
        while i != NONE {
            let event = &graph.threads[thread].events[i as usize];
            if event.kind.writes() {
                return event.kind == Kind::Update;
            }
            i = event.prev;
        }
        false
    }

    /// The event by which the thread took this lock, if it still holds it; for locks whose sections are left unordered.
    pub(in crate::search) fn held(&self, thread: usize, loc: Loc) -> Option<EventId> {
        let graph = &self.levels.last().expect("a search has a level").graph;
        held(graph, thread, loc)
    }

    /// An access has its final label: look for what is wrong with it, then visit.
    pub(in crate::search) fn enter_access(&mut self, id: EventId) -> Go {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let location = &self.tables.locations[event.loc as usize];
        if event.kind.reads() && event.rf.is_init() && location.initial.is_none() {
            self.access_trouble(
                id,
                ViolationKind::UninitialisedRead,
                "read of uninitialised memory",
                Vec::new(),
            );
        } else if location.within.is_some() {
            self.check_freed(id);
        }
        if self.settings.races {
            self.check_races(id);
        }
        Go::Visit
    }

    pub(in crate::search) fn access_trouble(
        &mut self,
        id: EventId,
        kind: ViolationKind,
        message: &str,
        related: Vec<Related>,
    ) {
        let site = self.site(id);
        self.violation(kind, message.into(), id.thread(), site, related);
        self.mark_failed(id);
    }

    pub(in crate::search) fn mark_failed(&mut self, id: EventId) {
        let (level, _) = self.top();
        level.graph.event_mut(id).tag = EventTag::Failed;
    }

    pub(in crate::search) fn site(&self, id: EventId) -> SiteId {
        let graph = &self.levels.last().expect("a search has a level").graph;
        self.states[graph.event(id).state as usize].step.site
    }

    pub(in crate::search) fn related(&self, role: &'static str, id: EventId) -> Related {
        Related { role, thread: ThreadId(id.thread() as u32), site: self.site(id) }
    }

    /// An access to allocated memory: was it freed?
    pub(in crate::search) fn check_freed(&mut self, id: EventId) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let within = self.tables.locations[event.loc as usize].within.expect("called for allocated memory");
        let key = (within.name as u64) << 32 | within.nth as u64;
        let free = graph
            .order
            .iter()
            .copied()
            .find(|&f| graph.event(f).kind == Kind::Free && graph.event(f).read == key);
        if let Some(free) = free {
            let related = vec![self.related("free", free)];
            self.access_trouble(id, ViolationKind::UseAfterFree, "access to memory that was freed", related);
        }
    }

    /// A free: of what was allocated, once, and after all accesses.
    pub(in crate::search) fn check_free(&mut self, id: EventId) -> bool {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let key = graph.event(id).read;
        let step = &self.states[graph.event(id).state as usize].step;
        let Request::Free(dynamic) = step.request else { unreachable!("a free") };
        let site = step.site;
        let (name, nth) = ((key >> 32) as u32, key as u32);
        if dynamic.offset != 0 || !self.tables.allocations.contains_key(&(name, nth)) {
            self.violation(
                ViolationKind::InvalidFree,
                "free of what is no allocation".into(),
                id.thread(),
                site,
                vec![],
            );
            return false;
        }
        let earlier = graph
            .order
            .iter()
            .copied()
            .find(|&f| f != id && graph.event(f).kind == Kind::Free && graph.event(f).read == key);
        if let Some(earlier) = earlier {
            let related = vec![self.related("first free", earlier)];
            self.violation(
                ViolationKind::DoubleFree,
                "memory is freed twice".into(),
                id.thread(),
                site,
                related,
            );
            return false;
        }
        let late = graph.order.iter().copied().find(|&a| {
            let event = graph.event(a);
            let Some(location) = self.tables.locations.get(event.loc as usize) else { return false };
            // Who was woken through a condition variable may free it, although that does not synchronise.
            let lock = matches!(event.tag, EventTag::Lock | EventTag::Waits | EventTag::Unlock);
            let relaxed = location.address.of_word().is_some() && !lock;
            let past = if relaxed { graph.porf(id) } else { graph.hb(id) };
            location.within.is_some_and(|w| (w.name, w.nth) == (name, nth)) && !Graph::in_row(past, a)
        });
        if let Some(late) = late {
            let related = vec![self.related("access", late)];
            let message = "memory is freed while another thread may still access it";
            self.violation(ViolationKind::UseAfterFree, message.into(), id.thread(), site, related);
            return false;
        }
        true
    }

    /// Data races of an access with those before it in the graph that do not happen before it.
    pub(in crate::search) fn check_races(&mut self, id: EventId) {
        let graph = &self.levels.last().expect("a search has a level").graph;
        let event = graph.event(id);
        let hb = graph.hb(id);
        let mut racing = Vec::new();
        let place = &graph.accesses[event.loc as usize];
        for (t, &last) in place.last.iter().enumerate() {
            if t == id.thread() {
                continue;
            }
            let mut i = last.wrapping_sub(1);
            while i != NONE && (i >= hb[t] || Mutant::RacesEverywhere.is_active()) {
                let other = &graph.threads[t].events[i as usize];
                let conflict = event.kind.writes() || other.kind.writes();
                let both = Mutant::RacesNowhere.is_active();
                let plain = if both {
                    event.order == Order::Plain && other.order == Order::Plain
                } else {
                    event.order == Order::Plain || other.order == Order::Plain
                };
                let other_id = EventId::new(t as u32, i);
                if conflict && plain && !Graph::in_row(graph.hb(other_id), id) {
                    racing.push(other_id);
                }
                i = other.prev;
            }
        }
        for other in racing {
            let related = vec![self.related("racing access", other)];
            let site = self.site(id);
            self.violation(ViolationKind::Race, String::new(), id.thread(), site, related);
        }
    }

    /// Remember a violation, unless the same was seen before.
    pub(in crate::search) fn violation(
        &mut self,
        kind: ViolationKind,
        message: String,
        thread: usize,
        site: SiteId,
        related: Vec<Related>,
    ) {
        if self.building {
            return;
        }
        let thread = ThreadId(thread as u32);
        let mut violation = Violation { kind, message, thread, site, related, witness: Witness::default() };
        if self.tables.is_unordered() {
            self.suspects.push(violation);
            return;
        }
        if !self.violations.iter().any(|v| v.is_same(&violation)) {
            violation.witness = self.execution().witness();
            self.violations.push(violation);
        }
        if !self.settings.all {
            self.stop(StopReason::Violation);
        }
    }
}

/// The event by which a thread took a lock, if it still holds it.
pub(crate) fn held(graph: &Graph, thread: usize, loc: Loc) -> Option<EventId> {
    let place = graph.accesses.get(loc as usize)?;
    let mut i = place.last.get(thread).copied().unwrap_or(0).wrapping_sub(1);
    let mut released = 0;
    while i != NONE {
        let event = &graph.threads[thread].events[i as usize];
        match event.kind {
            Kind::Unlock => released += 1,
            Kind::Lock if released == 0 => return Some(EventId::new(thread as u32, i)),
            _ => released -= 1,
        }
        i = event.prev;
    }
    None
}
