//! Asking threads what they do next.
//!
//! A thread is asked with the answer to its last event, on a copy of its last state, so a thread whose cursor
//! can be copied is never run again. (A [`World`] is shown the execution so far instead.) Short cuts of retry
//! loops are found here (docs/waits.md, "Short cuts").

use super::Run;
use super::resolve::{Request, Resolver, Step};
use super::rwlock_try::{self, MicroStep, Next};
use crate::graph::{Event, EventTag, Graph, Kind, NO_LOC, ThreadStatus};
use crate::id::{EventId, SiteId};
use crate::mutation::Mutant;
use crate::program::action::{Action, Answer, Operation, Order, Part, Value, Waiting};
use crate::program::{Entry, PastEvent, Program, Source, World};
use crate::settings::Engine;

impl<P: Program> Run<'_, P> {
    /// Ask the first thread whose next request is not known, and return its number; none if all requests are
    /// known.
    ///
    /// `order` gives the pairs of events that critical sections put in order; only a [`World`] uses them.
    pub fn ask_next(
        &mut self,
        graph: &mut Graph,
        order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    ) -> Option<usize> {
        loop {
            let thread = graph.status.iter().position(|&status| status == ThreadStatus::Unasked)?;
            match graph.threads[thread].events.last().filter(|last| last.ends_thread()) {
                Some(last) => {
                    // The thread has stopped at this event.
                    graph.threads[thread].state = last.state;
                    graph.status[thread] = ThreadStatus::Stuck;
                }
                None => {
                    self.ask(graph, thread, order);
                    return Some(thread);
                }
            }
        }
    }

    /// Ask the program for the next request of a thread, or make the next part of a request that is made in
    /// several.
    #[inline]
    fn ask(&mut self, graph: &mut Graph, thread: usize, order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>) {
        let (state, mut answer) = self.next_state(graph, thread);
        let mut is_made = false;
        if let Some(fence) = self.inserted_fence(graph, thread) {
            self.states[state as usize].step = fence;
            is_made = true;
        } else if self.tables.locks.has_tried() {
            match self.next_part(graph, thread, answer.value()) {
                Next::Part(step) => {
                    self.states[state as usize].step = step;
                    is_made = true;
                }
                Next::Ask(value) if !matches!(answer, Answer::Failed(_)) => answer = Answer::Value(value),
                Next::Ask(_) => {}
            }
        }
        if !is_made {
            self.next_request(graph, thread, state, answer, order);
        }
        graph.threads[thread].state = state;
        graph.status[thread] = self.states[state as usize].step.status();
    }

    /// The fence that settings put after the thread's last event, if that is a store of the right site. A store is
    /// answered nothing, and so is a fence: the program does not notice.
    fn inserted_fence(&self, graph: &Graph, thread: usize) -> Option<Step> {
        let fences = &self.settings.fences;
        if fences.is_empty() {
            return None;
        }
        let last = graph.threads[thread].events.last()?;
        if last.kind != Kind::Write || last.tag != EventTag::None {
            return None;
        }
        let site = self.step_of(last).site;
        let fence = fences.iter().find(|fence| fence.site == site)?;
        Some(Step {
            site,
            loc: NO_LOC,
            request: Request::Fence(fence.order),
            part: Part::Whole,
            then: MicroStep::Inserted,
        })
    }

    /// A new state for a thread, with a copy of its last cursor; and the answer to its last request.
    fn next_state(&mut self, graph: &Graph, thread: usize) -> (u32, Answer) {
        let log = &graph.threads[thread];
        if let Some(last) = log.events.last() {
            let answer = match (self.answer(last), self.unset_bits(graph, last)) {
                (Answer::Value(value), bits @ 1..) => Answer::Unset { value, bits },
                (answer, _) => answer,
            };
            return (self.states.follow(last.state), answer);
        }
        let entry = if log.parent.is_init() {
            Entry::Initial(thread as u32)
        } else {
            let Request::Spawn { code, argument } = self.step_of(graph.event(log.parent)).request else {
                unreachable!("a thread's parent is a spawn")
            };
            Entry::Spawned { code, argument, name: u64::from(self.tables.threads.name(thread)) }
        };
        (self.states.begin(self.program.start(entry)), Answer::NONE)
    }

    /// The bits of what an event read that nobody set.
    fn unset_bits(&self, graph: &Graph, event: &Event) -> Value {
        if event.kind != Kind::Read {
            return 0;
        }
        if event.rf.is_init() {
            let is_set = self.initial(graph, event.loc).is_some();
            return if is_set {
                0
            } else {
                self.tables.memory.locations[event.loc as usize].width.cut(Value::MAX)
            };
        }
        let source = graph.event(event.rf);
        match source.kind {
            Kind::Write if self.program.hints().has_unset() => {
                self.program.hints().unset(&self.states[source.state as usize].cursor)
            }
            _ => 0,
        }
    }

    /// The value that a thread is answered for an event.
    pub fn answer_of(&self, event: &Event) -> Value {
        self.answer(event).value()
    }

    /// What a thread is answered for an event.
    fn answer(&self, event: &Event) -> Answer {
        match event.kind {
            Kind::Read | Kind::Update if event.tag == EventTag::Spurious => Answer::Failed(event.read),
            Kind::Read | Kind::Update => Answer::Value(self.step_of(event).answer(event.read)),
            Kind::Spawn | Kind::Alloc | Kind::Choose => Answer::Value(event.read),
            _ => Answer::NONE,
        }
    }

    /// The next part of the request to which the thread's last event belongs, if the request is made in
    /// several parts (`rwlock_try.rs`) and has one left.
    fn next_part(&mut self, graph: &Graph, thread: usize, answer: Value) -> Next {
        let Some(last) = graph.threads[thread].events.last() else { return Next::Ask(answer) };
        let Step { then, site, .. } = *self.step_of(last);
        if then == MicroStep::Ask {
            return Next::Ask(answer);
        }
        let Run { program, tables, .. } = self;
        let object_at = &|address| program.hints().object_at(address);
        rwlock_try::follow(&mut Resolver { tables, graph, thread, site, object_at }, then, answer)
    }

    /// Ask the program, and put its request into the state.
    fn next_request(
        &mut self,
        graph: &Graph,
        thread: usize,
        state: u32,
        answer: Answer,
        order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    ) {
        let world = self.program.world();
        let Action { site, operation } = match world {
            None => self.step_on(graph, thread, state, answer),
            Some(world) => self.ask_world(world, graph, thread, &order(graph)),
        };
        // Under XMM a failed try may be committed: no such reduction is known to be right there. A walk through
        // interleavings would come to nothing: no other one is made for it.
        let may_be_short_cut = world.is_none()
            && !(self.settings.random.is_some() && self.settings.engine == Engine::Interleaving)
            && self.settings.model == self.settings.model.causal()
            && graph.threads[thread]
                .events
                .last()
                .is_some_and(|e| e.kind == Kind::Read && e.tag == EventTag::Rmw);
        let short_cut = may_be_short_cut && self.takes_short_cut(graph, thread, state, (site, &operation));
        let Run { program, tables, states, .. } = self;
        let object_at = &|address| program.hints().object_at(address);
        let step = &mut states[state as usize].step;
        Resolver { tables, graph, thread, site, object_at }.resolve(operation, step);
        if short_cut {
            step.request = Request::Dropped;
        }
        if let Request::Wait(waiting) = step.request {
            self.note_wait(graph, thread, state, waiting);
        }
    }

    /// A thread waits: remember that one does, and count the events of its round.
    fn note_wait(&mut self, graph: &Graph, thread: usize, state: u32, waiting: Waiting) {
        self.has_spins |= matches!(waiting, Waiting::Spin { .. } | Waiting::Signal);
        if let Waiting::Spin { events } = waiting
            && (self.tables.locks.has_tried() || !self.settings.fences.is_empty())
        {
            let events = rwlock_try::events_of(&graph.threads[thread].events, &self.states, events);
            self.states[state as usize].step.request = Request::Wait(Waiting::Spin { events });
        }
    }

    /// Ask the program; a thread that waits is made to go on if its round may have been seen.
    fn step_on(&mut self, graph: &Graph, thread: usize, state: u32, mut answer: Answer) -> Action {
        loop {
            let action = self.program.step(&mut self.states[state as usize].cursor, answer);
            match action.operation {
                Operation::Wait(Waiting::Spin { events }) if self.follow(graph, thread, state, events) => {
                    answer = Answer::NONE;
                }
                _ => return action,
            }
        }
    }

    /// Is this the failed try of a retry loop, and is what follows seen in the exploration in which an
    /// earlier read saw what the try saw (docs/waits.md, "Short cuts")?
    fn takes_short_cut(
        &mut self,
        graph: &Graph,
        thread: usize,
        state: u32,
        action: (SiteId, &Operation),
    ) -> bool {
        let cursor = &self.states[state as usize].cursor;
        let Some(earlier) = self.short_cut(graph, thread, action, cursor) else { return false };
        // May a violation show only between that read and the try? Then the thread goes on, once.
        let events = &graph.threads[thread].events;
        let between = events[earlier + 1..events.len() - 1].iter().filter(|event| event.kind == Kind::Read);
        let address = |event: &Event| self.tables.memory.locations[event.loc as usize].address;
        let reads: Vec<_> = between.map(|event| (address(event), event.order)).collect();
        !self.program.hints().spare(&mut self.states[state as usize].cursor, &reads)
    }

    /// A compare-exchange of a retry loop failed: the index of an earlier read of the location that would
    /// have led the thread to the same state, had it seen what the compare-exchange saw.
    fn short_cut(
        &self,
        graph: &Graph,
        thread: usize,
        (site, operation): (SiteId, &Operation),
        cursor: &P::Cursor,
    ) -> Option<usize> {
        let (last, earlier) = graph.threads[thread].events.split_last()?;
        if last.kind != Kind::Read || last.tag != EventTag::Rmw {
            return None;
        }
        for (i, event) in earlier.iter().enumerate().rev() {
            let harmless = match event.kind {
                Kind::Read => event.tag != EventTag::Lock,
                Kind::Fence => true,
                Kind::Update => event.written == event.read && event.tag == EventTag::Rmw,
                _ => false,
            };
            if !harmless && !Mutant::ShortCutOverEffects.is_active() {
                return None;
            }
            if event.kind != Kind::Read || event.loc != last.loc {
                continue;
            }
            // If the earlier read saw the same write, the exploration that shows the rest is this one. What the thread
            // itself wrote back in between stands for its source.
            let mut source = last.rf;
            while !source.is_init() && source.thread() == thread && source.index() as usize > i {
                source = graph.event(source).rf;
            }
            if event.rf == source && !Mutant::ShortCutToItself.is_active() {
                continue;
            }
            let state = &self.states[event.state as usize];
            let label = state.step.label(last.read);
            // Where happens-before has rows of its own, the earlier read must not synchronise more than the
            // one that failed.
            let more = graph.clocks.hb
                && strength(label.order) > strength(last.order)
                && !Mutant::ShortCutSynchronises.is_active();
            if label.written.is_some() || more {
                continue;
            }
            let mut other = state.cursor.clone();
            let next = self.program.step(&mut other, Answer::Value(state.step.answer(last.read)));
            if next.site == site && next.operation == *operation && self.program.hints().same(&other, cursor)
            {
                return Some(i);
            }
        }
        None
    }

    /// Show a world the execution so far, and ask it.
    fn ask_world(
        &self,
        world: &dyn World,
        graph: &Graph,
        thread: usize,
        order: &[(EventId, EventId)],
    ) -> Action {
        world.next(&self.so_far(graph, order), u64::from(self.tables.threads.name(thread)))
    }

    /// All actions of an execution, each after those that it depends on and after the first of each pair in
    /// `order` of which it is the second.
    pub fn so_far(&self, graph: &Graph, order: &[(EventId, EventId)]) -> Vec<PastEvent> {
        let name = |thread: usize| u64::from(self.tables.threads.name(thread));
        let is_last = |event: &Event| self.step_of(event).then.is_last();
        // A request that is made in several parts is one action, its last part.
        let action = |id: EventId| {
            let before = graph.threads[id.thread()].events[..id.index() as usize].iter();
            Source::Action(name(id.thread()), before.filter(|event| is_last(event)).count() as u32)
        };
        graph
            .in_order(order)
            .into_iter()
            .filter(|&id| is_last(graph.event(id)) && graph.event(id).tag != EventTag::Waits)
            .map(|id| {
                let event = graph.event(id);
                let source = event.kind.reads().then_some(event.rf);
                PastEvent {
                    thread: name(id.thread()),
                    answer: self.answer_of_request(event),
                    source: source.map(|w| if w.is_init() { Source::Initial } else { action(w) }),
                }
            })
            .collect()
    }

    /// What the program is answered when this event is the last part of a request.
    fn answer_of_request(&self, event: &Event) -> Answer {
        match self.step_of(event).then.final_answer() {
            Some(answer) => Answer::Value(answer),
            None => self.answer(event),
        }
    }
}

/// How much a read with this order synchronises.
fn strength(order: Order) -> u8 {
    match order {
        Order::Plain | Order::Relaxed | Order::Release => 0,
        Order::Acquire | Order::AcqRel => 1,
        Order::SeqCst => 2,
    }
}
