//! Can what looks wrong in a graph really happen? (docs/locks.md, "How it is searched")
//!
//! In a graph whose open sections may come anywhere an event can be reached that no run of the program
//! reaches: some section would have to end first, and cannot. So a finding counts only if its past is a state
//! of the program, in which each open section is the last of its lock. Where it is not, sections that ended
//! in the graph are completed; where that does not help, the question is asked again whenever another section
//! ends.

use super::Search;
use crate::check::{self, Condition, Finding};
use crate::consistency::happens_before;
use crate::consistency::sections::SectionOrders;
use crate::consistency::with_sections::WithSections;
use crate::execution::Execution;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::outcome::{StopReason, Violation};
use crate::program::Program;
use crate::run::lock_table::RestartReason;

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// An event was added: look for violations.
    pub(super) fn check_event(&mut self, id: EventId) {
        let mut found = std::mem::take(&mut self.found_in_event);
        check::event(&self.run, &self.graph, id, &mut found);
        if self.run.tells_disturbance(&self.graph, id) {
            self.run.tables.learn(RestartReason::Program);
            self.ledger.stop(StopReason::Restart);
        }
        for finding in found.drain(..) {
            // A finding that depends on another event may be impossible in the end, and may be possible only if the
            // section ends: the thread goes on, and it is asked later whether it could.
            if finding.stops && finding.tips == [id] {
                self.graph.event_mut(id).failed = true;
            }
            if self.can_hold(finding.condition) {
                if finding.stops && finding.tips != [id] {
                    let Finding { condition, tips, .. } = &finding;
                    self.halts.push(Halt { event: id, condition: *condition, tips: tips.clone() });
                }
                self.suspect(finding);
            }
        }
        self.found_in_event = found;
    }

    /// A thread waits for a lock for ever: was the lock's memory freed? Whether that closes a cycle is asked at a
    /// leaf, since the process may end before.
    pub(super) fn check_blocked(&mut self, thread: usize) {
        let mut found = Vec::new();
        check::memory::waits_for_lock(&self.run, &self.graph, thread, &mut found);
        for finding in found {
            self.suspect(finding);
        }
    }

    /// Examine the findings about requests that the last step made known, and again the older suspects if it
    /// ended a section.
    pub(super) fn examine(&mut self) {
        for finding in std::mem::take(&mut self.found) {
            self.suspect(finding);
        }
        let ended = self.last_event().is_some_and(|id| self.graph.event(id).kind == Kind::Unlock);
        if ended && !self.suspects.is_empty() {
            self.ask_again();
        }
    }

    pub(super) fn ask_again(&mut self) {
        for suspect in self.suspects.clone() {
            if self.ledger.stopped.is_none() {
                self.confirm(&suspect);
            }
        }
    }

    /// Report a finding if it can happen; otherwise keep it for later. Where an execution is followed, it may be shown only by
    /// more of it, so that is asked again.
    fn suspect(&mut self, finding: Finding) {
        if !self.confirm(&finding) || self.follows {
            self.suspects.push(finding);
        }
    }

    /// At a leaf that a run can reach: what was found there can happen, and this is the last time to ask
    /// about the suspects.
    pub(super) fn confirm_leaf(&mut self, found: Option<Finding>) {
        if let Some(finding) = found {
            let (run, graph, order) = (&self.run, &self.graph, &mut self.order);
            self.ledger
                .report(&finding, |finding| Execution::new(run, graph, order).violation(&finding.violation));
        }
        self.ask_again();
    }

    /// Report a finding if it can happen, or was reported before. False if it cannot be shown yet.
    fn confirm(&mut self, suspect: &Finding) -> bool {
        if self.ledger.knows(&suspect.violation) {
            return true;
        }
        if Mutant::MistakesBelieved.is_active() {
            self.ledger.report(suspect, |suspect| suspect.violation.clone());
            return true;
        }
        let mut limits = vec![0; self.graph.threads.len()];
        for &tip in suspect.tips.iter().filter(|tip| !tip.is_init()) {
            include(&self.graph, &mut limits, tip);
        }
        let Some(violation) = self.realise_around(&limits, suspect) else { return false };
        self.ledger.report(suspect, |_| violation);
        true
    }

    /// The violation in a part of the graph that has these events: with those that belong to it besides, such as the lock
    /// of another thread, if that can be; else it does not name them.
    fn realise_around(&mut self, limits: &[u32], suspect: &Finding) -> Option<Violation> {
        let mut wider = limits.to_vec();
        for related in suspect.violation.related.iter().filter_map(|related| related.event) {
            include(&self.graph, &mut wider, related);
        }
        if let Some(violation) = self.realise(&wider, suspect, &mut Vec::new()) {
            return Some(violation);
        }
        if wider == limits {
            return None;
        }
        let mut alone = suspect.clone();
        alone.violation.related.retain(|related| related.event.is_none());
        alone.violation.message.clear();
        self.realise(limits, &alone, &mut Vec::new())
    }

    /// May a condition hold in some order of the sections? Not if happens-before contradicts it, or if
    /// sections of one lock keep the two events apart.
    fn can_hold(&self, condition: Condition) -> bool {
        let excluded = matches!(condition, Condition::Unordered(a, b) | Condition::Apart(a, b) if self.share_a_lock(a, b));
        condition.holds(&self.graph) && !excluded
    }

    /// Are the two events inside sections of one lock that exclude each other?
    fn share_a_lock(&self, a: EventId, b: EventId) -> bool {
        let around = |id: EventId| self.order.sections.iter().filter(move |s| s.span.contains(id));
        around(a).any(|s| around(b).any(|other| s.conflicts(other)))
    }

    /// The violation, if the first `limits[t]` events of each thread t are a state of the program in which
    /// the finding holds, or can be made one by completing sections. `seen` were tried already.
    fn realise(&mut self, limits: &[u32], suspect: &Finding, seen: &mut Vec<Vec<u32>>) -> Option<Violation> {
        if seen.iter().any(|s| s == limits) {
            return None;
        }
        seen.push(limits.to_vec());
        if let Some(violation) = self.violation_of(limits, suspect) {
            return Some(violation);
        }
        let inside = |id: EventId| id.index() < limits[id.thread()];
        let ends: Vec<EventId> = self
            .order
            .sections
            .iter()
            .filter(|s| inside(s.span.lock))
            .filter_map(|s| s.span.unlock.filter(|&unlock| !inside(unlock)))
            .collect();
        for end in ends {
            let mut more = limits.to_vec();
            include(&self.graph, &mut more, end);
            if let Some(violation) = self.realise(&more, suspect, seen) {
                return Some(violation);
            }
        }
        None
    }

    /// Is there a real order of the sections in which no thread should have stopped on the way?
    pub(super) fn can_all_go_on(&mut self) -> bool {
        if self.halts.is_empty() {
            return true;
        }
        let Self { halts, graph, order, .. } = self;
        let mut found = false;
        order.each_real_order(graph, &mut |order, graph| {
            found = !halts.iter().any(|halt| halt.holds(order, graph));
            !found
        });
        found
    }

    /// The first events of each thread as a graph of their own: the violation, if its condition holds in some
    /// real order of the sections in which no thread should have stopped before. (The witness shows a real order, not necessarily that one.)
    fn violation_of(&mut self, limits: &[u32], suspect: &Finding) -> Option<Violation> {
        let (mut graph, mut order) = self.part(limits, suspect)?;
        // A request has no event: where its thread should have stopped at its last event, it was not made.
        let is_request = suspect.violation.event.is_none();
        let requester = |id: EventId| is_request && id.thread() == suspect.violation.thread.0 as usize;
        let mut found = false;
        order.each_real_order(&mut graph, &mut |order, graph| {
            let goes_on = |halt: &&Halt| {
                let inside = |tip: &EventId| tip.index() < limits[tip.thread()];
                let went_on = !requester(halt.event) as u32;
                halt.tips.iter().all(inside)
                    && halt.event.index() + went_on < limits[halt.event.thread()]
                    && (is_request || halt.tips != suspect.tips)
            };
            found = suspect.condition.holds_where(graph, |a, b| comes_before(order, graph, a, b))
                && !self.halts.iter().filter(goes_on).any(|halt| halt.is_to_blame(order, graph));
            !found
        });
        found.then(|| Execution::new(&self.run, &graph, &mut order).violation(&suspect.violation))
    }

    /// The first events of each thread, which must be closed under the past, as a graph of their own with its
    /// sections. It is to show this finding.
    fn part(&self, limits: &[u32], suspect: &Finding) -> Option<(Graph, SectionOrders<K>)> {
        let whole = &self.graph;
        let mut part = Graph::new(whole.threads.len(), whole.clocks);
        part.set_stride(whole.stride);
        let mut order = SectionOrders::<K>::new(self.run.settings);
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
            happens_before::compute(&mut part, id);
            if event.kind.writes() {
                happens_before::compute_message(&mut part, id);
            }
            let fine = order.enter(&mut part, id)
                && (event.kind != Kind::Update || order.enter_update(&mut part, id));
            if !fine {
                return None;
            }
        }
        for (t, log) in whole.threads.iter().enumerate() {
            let spawned = log.parent.is_init() || log.parent.index() < limits[log.parent.thread()];
            let next = log.events.get(limits[t] as usize);
            part.threads[t].state = next.map_or(log.state, |next| next.state);
            // A thread that waits for a lock goes on where nobody holds it yet. That it waits for ever depends on what
            // others may still do, and belongs to the finding only if the finding is about its wait.
            let is_apart = suspect.violation.thread.0 as usize != t;
            let may_go_on = self
                .waits_at(t)
                .is_some_and(|(lock, mode)| is_apart || order.holders(lock, mode).next().is_none());
            part.status[t] = match (spawned, next, whole.status[t]) {
                (false, ..) => ThreadStatus::Absent,
                (true, Some(_), _) => ThreadStatus::Steps,
                (true, None, ThreadStatus::Postponed) => ThreadStatus::Reads,
                (true, None, ThreadStatus::Stuck) if may_go_on => ThreadStatus::Steps,
                (true, None, status) => status,
            };
        }
        Some((part, order))
    }
}

/// A thread went on after this event; it should have stopped where this holds.
pub(super) struct Halt {
    event: EventId,
    condition: Condition,
    /// The events that the condition is about.
    tips: Vec<EventId>,
}

impl Halt {
    /// Should the thread have stopped, with all sections ordered like this?
    pub fn holds<K: WithSections>(&self, order: &SectionOrders<K>, graph: &Graph) -> bool {
        self.condition.holds_where(graph, |a, b| comes_before(order, graph, a, b))
    }

    /// The same, unless the event comes before the others that the condition is about: then their threads stop.
    fn is_to_blame<K: WithSections>(&self, order: &SectionOrders<K>, graph: &Graph) -> bool {
        let comes_first = |&tip: &EventId| tip != self.event && comes_before(order, graph, self.event, tip);
        self.holds(order, graph) && !self.tips.iter().any(comes_first)
    }
}

/// Raise the limits so that they include an event and its past.
fn include(graph: &Graph, limits: &mut [u32], id: EventId) {
    for (limit, &past) in limits.iter_mut().zip(graph.porf(id)) {
        *limit = (*limit).max(u32::from(past));
    }
    limits[id.thread()] = limits[id.thread()].max(id.index() + 1);
}

/// With all sections ordered: does `a` happen before `b`?
fn comes_before<K: WithSections>(order: &SectionOrders<K>, graph: &Graph, a: EventId, b: EventId) -> bool {
    if graph.clocks.hb {
        return Graph::in_row(graph.hb(b), a);
    }
    // Models with one global order keep no rows for sections: take the past of b, and the past of the
    // sections that come before sections in it, until nothing changes.
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
