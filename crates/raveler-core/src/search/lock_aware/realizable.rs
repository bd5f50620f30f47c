//! Is what looks wrong in a graph really possible?
//!
//! In a graph whose open sections may stand anywhere an event can be reached that no run of the program reaches: some
//! section would have to end first, and cannot (locks.md §4.4). So a mistake counts only if its past is a state of the
//! program: with each open section the last of its lock. Where it is not, sections that ended in the graph are
//! completed; where that does not help yet, the question is asked again whenever another section ends.

use super::Aware;
use crate::consistency::sections::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::consistency::{Consistency, happens_before};
use crate::execution::Execution;
use crate::graph::{Graph, Kind, NO_LOC, NONE, ThreadStatus};
use crate::id::{EventId, ThreadId};
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::outcome::{Related, StopReason, Violation, ViolationKind, Witness};
use crate::program::Program;
use crate::program::action::Order;

/// Something that would be wrong.
#[derive(Clone)]
pub(super) struct Suspect {
    pub violation: Violation,
    /// The last events that belong to it.
    pub tips: Vec<EventId>,
    pub need: Need,
}

/// What else must hold in the state in which it is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    Nothing,
    /// These two are not ordered.
    Unordered(EventId, EventId),
    /// The first is not ordered before the second.
    NotBefore(EventId, EventId),
}

impl<P: Program, K: WithSections, O: Observer<P>> Aware<'_, P, K, O> {
    /// Look at what the last step made suspicious, and again at older suspects if it ended a section.
    pub(super) fn examine(&mut self) {
        for violation in std::mem::take(&mut self.base.suspects) {
            let tips = vec![self.graph().tip(violation.thread.0 as usize)];
            self.suspect(Suspect { violation, tips, need: Need::Nothing });
        }
        let ended = self.last_event().is_some_and(|id| self.graph().event(id).kind == Kind::Unlock);
        if ended && !self.suspects.is_empty() {
            self.ask_again();
        }
    }

    fn ask_again(&mut self) {
        for suspect in self.suspects.clone() {
            if self.base.stopped.is_none() {
                self.confirm(&suspect);
            }
        }
    }

    /// Report it if it is real; otherwise keep it for later.
    pub(super) fn suspect(&mut self, suspect: Suspect) {
        if !self.confirm(&suspect) {
            self.suspects.push(suspect);
        }
    }

    /// At a leaf that is real: what was found there is real, and this is the last time to ask about the rest.
    pub(super) fn confirm_leaf(&mut self) {
        let found = std::mem::take(&mut self.base.suspects);
        if !self.has_cycle() {
            for violation in found {
                let witness = self.base.execution().witness();
                self.report(Violation { witness, ..violation });
            }
        }
        self.ask_again();
    }

    fn report(&mut self, violation: Violation) {
        if !self.base.violations.iter().any(|v| v.is_same(&violation)) {
            self.base.violations.push(violation);
        }
        if !self.base.settings.all {
            self.base.stop(StopReason::Violation);
        }
    }

    fn confirm(&mut self, suspect: &Suspect) -> bool {
        if self.base.violations.iter().any(|v| v.is_same(&suspect.violation)) {
            return true;
        }
        if Mutant::MistakesBelieved.is_active() {
            self.report(suspect.violation.clone());
            return true;
        }
        let mut limits = vec![0; self.graph().threads.len()];
        for &tip in suspect.tips.iter().filter(|tip| !tip.is_init()) {
            include(self.graph(), &mut limits, tip);
        }
        let mut seen = Vec::new();
        let Some(witness) = self.realise(&limits, suspect.need, &mut seen) else { return false };
        self.report(Violation { witness, ..suspect.violation.clone() });
        true
    }

    /// Is this part of the graph a state, or can it be made one by completing sections?
    fn realise(&mut self, limits: &[u32], need: Need, seen: &mut Vec<Vec<u32>>) -> Option<Witness> {
        if seen.iter().any(|s| s == limits) {
            return None;
        }
        seen.push(limits.to_vec());
        if let Some(witness) = self.witness_of(limits, need) {
            return Some(witness);
        }
        let inside = |id: EventId| id.index() < limits[id.thread()];
        let ends: Vec<EventId> = self
            .order()
            .sections
            .iter()
            .filter(|s| inside(s.span.lock))
            .filter_map(|s| s.span.unlock.filter(|&unlock| !inside(unlock)))
            .collect();
        for end in ends {
            let mut more = limits.to_vec();
            include(self.graph(), &mut more, end);
            if let Some(witness) = self.realise(&more, need, seen) {
                return Some(witness);
            }
        }
        None
    }

    /// The first events of each thread as a graph of their own: an execution in which what is needed holds, if there
    /// is one.
    fn witness_of(&mut self, limits: &[u32], need: Need) -> Option<Witness> {
        let (mut graph, mut order) = self.part(limits)?;
        let mut found = false;
        let with_hb = self.base.with_hb;
        order.each_real_order(&mut graph, &mut |order, graph| {
            found = match need {
                Need::Nothing => true,
                Need::Unordered(a, b) => {
                    !comes_before(order, graph, with_hb, a, b) && !comes_before(order, graph, with_hb, b, a)
                }
                Need::NotBefore(a, b) => !comes_before(order, graph, with_hb, a, b),
            };
            !found
        });
        if !found {
            return None;
        }
        let base = &self.base;
        Some(Execution::new(base.program, &graph, &base.states, &base.tables, &mut order).witness())
    }

    /// The first events of each thread, which must be closed under the past, as a graph of their own with its order.
    fn part(&self, limits: &[u32]) -> Option<(Graph, SectionOrders<K>)> {
        let whole = self.graph();
        let mut part = Graph::new(whole.threads.len(), whole.with_hb);
        part.stride = whole.stride;
        part.all_synchronises = whole.all_synchronises;
        part.with_past = whole.with_past;
        part.status.clone_from(&whole.status);
        let mut order = SectionOrders::<K>::new(self.base.settings.model);
        for (t, log) in whole.threads.iter().enumerate() {
            let parent = log.parent;
            let spawned = parent.is_init() || parent.index() < limits[parent.thread()];
            part.threads[t].parent = parent;
            part.threads[t].state = log.state;
            if !spawned {
                part.status[t] = ThreadStatus::Absent;
            } else if let Some(next) = log.events.get(limits[t] as usize) {
                part.threads[t].state = next.state;
                part.status[t] = ThreadStatus::Steps;
            } else if part.status[t] == ThreadStatus::Postponed {
                part.status[t] = ThreadStatus::Reads;
            }
        }
        for &id in whole.order.iter().filter(|id| id.index() < limits[id.thread()]) {
            let event = *whole.event(id);
            let copy = part.push(id.thread(), event);
            debug_assert_eq!(copy, id);
            part.event_mut(id).write_index = 0;
            if event.kind.writes() {
                let earlier = |w: &&EventId| K::COHERENCE && whole.event(**w).write_index > event.write_index;
                let writes = &part.accesses[event.loc as usize].writes;
                let at = writes.len() - writes.iter().filter(earlier).count();
                part.place_write(id, at);
            }
            if part.with_hb {
                happens_before::compute(&mut part, id);
                if event.kind.writes() {
                    happens_before::compute_message(&mut part, id, self.base.sequences);
                }
            }
            let fine = order.enter(&mut part, id)
                && (event.kind != Kind::Update || order.enter_update(&mut part, id));
            if !fine {
                return None;
            }
        }
        Some((part, order))
    }

    /// An access was added: is there something wrong with it?
    pub(super) fn check_access(&mut self, id: EventId) {
        let event = *self.graph().event(id);
        let location = &self.base.tables.locations[event.loc as usize];
        let (initial, within) = (location.initial, location.within);
        if event.kind.reads() && event.rf.is_init() && initial.is_none() {
            let message = "read of uninitialised memory";
            self.access_is_wrong(id, ViolationKind::UninitialisedRead, message, Vec::new(), Need::Nothing);
            self.graph_mut().event_mut(id).tag = crate::graph::EventTag::Failed;
        } else if let Some(within) = within {
            let key = u64::from(within.name) << 32 | u64::from(within.nth);
            let frees: Vec<EventId> = self
                .graph()
                .order
                .iter()
                .copied()
                .filter(|&f| self.graph().event(f).kind == Kind::Free && self.graph().event(f).read == key)
                .collect();
            for free in frees {
                let related = vec![self.base.related("free", free)];
                let message = "access to memory that was freed";
                let need = Need::NotBefore(id, free);
                self.access_is_wrong(id, ViolationKind::UseAfterFree, message, related, need);
            }
        }
        if self.base.settings.races {
            self.check_races(id);
        }
    }

    fn access_is_wrong(
        &mut self,
        id: EventId,
        kind: ViolationKind,
        message: &str,
        related: Vec<Related>,
        need: Need,
    ) {
        let violation = Violation {
            kind,
            message: message.to_string(),
            thread: ThreadId(id.thread() as u32),
            site: self.base.site(id),
            related,
            witness: Witness::default(),
        };
        let mut tips = vec![id];
        if let Need::Unordered(_, other) | Need::NotBefore(_, other) = need {
            tips.push(other);
        }
        if self.can_hold(need) {
            self.suspect(Suspect { violation, tips, need });
        }
    }

    /// Is it not known already that this cannot hold: by happens-before, or by a lock that both hold?
    fn can_hold(&self, need: Need) -> bool {
        let graph = self.graph();
        match need {
            Need::Nothing => true,
            Need::Unordered(a, b) => {
                !Graph::in_row(graph.hb(a), b) && !Graph::in_row(graph.hb(b), a) && !self.share_a_lock(a, b)
            }
            Need::NotBefore(a, b) => !Graph::in_row(graph.hb(b), a),
        }
    }

    /// Are both events inside sections of one lock, not both shared?
    fn share_a_lock(&self, a: EventId, b: EventId) -> bool {
        let around = |id: EventId| self.order().sections.iter().filter(move |s| s.span.contains(id));
        around(a).any(|s| around(b).any(|other| s.conflicts(other)))
    }

    /// Data races of an access with those before it in the graph.
    fn check_races(&mut self, id: EventId) {
        let graph = self.graph();
        let event = graph.event(id);
        let mut racing = Vec::new();
        for (t, &last) in graph.accesses[event.loc as usize].last.iter().enumerate() {
            if t == id.thread() {
                continue;
            }
            let mut i = last.wrapping_sub(1);
            while i != NONE && i >= graph.hb(id)[t] {
                let other = &graph.threads[t].events[i as usize];
                let conflict = event.kind.writes() || other.kind.writes();
                if conflict && (event.order == Order::Plain || other.order == Order::Plain) {
                    racing.push(EventId::new(t as u32, i));
                }
                i = other.prev;
            }
        }
        for other in racing {
            let related = vec![self.base.related("racing access", other)];
            self.access_is_wrong(id, ViolationKind::Race, "", related, Need::Unordered(id, other));
        }
    }

    /// A free was added: of what was allocated, once, and after all accesses?
    pub(super) fn check_free(&mut self, id: EventId) {
        let graph = self.graph();
        let key = graph.event(id).read;
        let step = &self.base.states[graph.event(id).state as usize].step;
        let crate::run::resolve::Request::Free(dynamic) = step.request else { unreachable!("a free") };
        let (name, nth) = ((key >> 32) as u32, key as u32);
        let mut wrong: Vec<(ViolationKind, &str, Vec<Related>, Need)> = Vec::new();
        let mut failed = false;
        if dynamic.offset != 0 || !self.base.tables.allocations.contains_key(&(name, nth)) {
            wrong.push((
                ViolationKind::InvalidFree,
                "free of what is no allocation",
                Vec::new(),
                Need::Nothing,
            ));
            failed = true;
        }
        for &other in graph.order.iter().filter(|&&other| other != id) {
            let event = graph.event(other);
            if event.kind == Kind::Free && event.read == key {
                let related = vec![self.base.related("first free", other)];
                wrong.push((
                    ViolationKind::DoubleFree,
                    "memory is freed twice",
                    related,
                    Need::NotBefore(id, other),
                ));
                failed = true;
            }
            let inside = event.loc != NO_LOC
                && self.base.tables.locations[event.loc as usize]
                    .within
                    .is_some_and(|w| (w.name, w.nth) == (name, nth));
            if inside {
                let related = vec![self.base.related("access", other)];
                let message = "memory is freed while another thread may still access it";
                wrong.push((ViolationKind::UseAfterFree, message, related, Need::NotBefore(other, id)));
            }
        }
        for (kind, message, related, need) in wrong {
            let violation = Violation {
                kind,
                message: message.to_string(),
                thread: ThreadId(id.thread() as u32),
                site: self.base.site(id),
                related,
                witness: Witness::default(),
            };
            if self.can_hold(need) {
                let tips = match need {
                    Need::NotBefore(other, _) | Need::Unordered(other, _) => vec![id, other],
                    Need::Nothing => vec![id],
                };
                self.suspect(Suspect { violation, tips, need });
            }
        }
        if failed {
            self.graph_mut().event_mut(id).tag = crate::graph::EventTag::Failed;
        }
    }
}

/// The past of an event and the event itself.
fn include(graph: &Graph, limits: &mut [u32], id: EventId) {
    for (limit, &past) in limits.iter_mut().zip(graph.porf(id)) {
        *limit = (*limit).max(past);
    }
    limits[id.thread()] = limits[id.thread()].max(id.index() + 1);
}

/// With all sections ordered: does `a` happen before `b`?
fn comes_before<K: WithSections>(
    order: &SectionOrders<K>,
    graph: &Graph,
    with_hb: bool,
    a: EventId,
    b: EventId,
) -> bool {
    if with_hb {
        return Graph::in_row(graph.hb(b), a);
    }
    // Models with one global order keep no rows for sections: what is in the past, and in the past of sections there.
    let mut row = vec![0; graph.threads.len()];
    include(graph, &mut row, b);
    row[b.thread()] = b.index();
    loop {
        let before = row.clone();
        for (x, first) in order.sections.iter().enumerate() {
            for (y, second) in order.sections.iter().enumerate() {
                if order.is_before(x, y) && Graph::in_row(&row, second.span.lock) {
                    include(graph, &mut row, first.span.last(graph));
                }
            }
        }
        if row == before {
            return Graph::in_row(&row, a);
        }
    }
}
