//! Asking threads what they do next.
//!
//! A thread is asked with the answer to its last event, on a copy of its last state, so a thread whose cursor
//! can be copied is never run again; and where that state was reached before, it is looked up. (A [`World`] is shown the
//! execution so far instead.)

use super::Run;
use super::memory_map::Initial;
use super::resolve::{Request, Resolver, Step};
use super::rwlock_try::{self, MicroStep, Next};
use super::short_cut::Cut;
use super::states::tree::{Key, Known, Needs};
use crate::graph::{Event, EventTag, Graph, Kind, NO_LOC, ThreadStatus};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::action::{Action, Answer, Operation, Part, Value, Waiting};
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
            if self.ask_thread(graph, thread, order) {
                return Some(thread);
            }
        }
    }

    /// The next request of a thread that has not stopped, found at once: it is one that was asked before, is the same in every
    /// graph, and nothing can be wrong with it. False if it is to be asked.
    #[inline]
    pub fn is_told(&mut self, graph: &mut Graph, thread: usize) -> bool {
        let Some(last) = graph.threads[thread].events.last() else { return false };
        if last.ends_thread() {
            return false;
        }
        let Some(answer) = self.plain_answer(graph, last) else { return false };
        let Some((state, status)) = self.states.find_plain(last.state, answer) else { return false };
        #[cfg(any(test, feature = "paranoid"))]
        self.verify_known(graph, thread, state, self.last_answer(graph, thread));
        graph.threads[thread].state = state;
        graph.status[thread] = status;
        true
    }

    /// What a thread is answered for its last event, and whether that failed for no reason. None where nobody may have set
    /// what it read.
    #[inline]
    fn plain_answer(&self, graph: &Graph, last: &Event) -> Option<(Value, bool)> {
        Some(match last.kind {
            Kind::Read | Kind::Update => {
                if last.kind == Kind::Read && self.may_be_unset(graph, last) {
                    return None;
                }
                match last.tag {
                    EventTag::None | EventTag::Rmw => (last.read, false),
                    EventTag::Spurious => (last.read, true),
                    _ => (self.step_of(last).answer(last.read), false),
                }
            }
            Kind::Spawn | Kind::Alloc | Kind::Choose => (last.read, false),
            Kind::Join if last.tag == EventTag::Meets => (last.read, false),
            Kind::Count => (last.read, true),
            _ => (0, false),
        })
    }

    /// May a read have read bits that nobody set?
    #[inline]
    fn may_be_unset(&self, graph: &Graph, read: &Event) -> bool {
        if read.rf.is_init() {
            return !matches!(self.tables.memory.locations[read.loc as usize].initial, Initial::Value(_));
        }
        self.program.hints().has_unset() && graph.event(read.rf).kind == Kind::Write
    }

    /// Ask a thread whose next request is not known. False if it has stopped at its last event.
    #[inline]
    pub fn ask_thread(
        &mut self,
        graph: &mut Graph,
        thread: usize,
        order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    ) -> bool {
        match graph.threads[thread].events.last().filter(|last| last.ends_thread()) {
            Some(last) => {
                graph.threads[thread].state = last.state;
                graph.status[thread] = ThreadStatus::Stuck;
                false
            }
            None => {
                self.ask(graph, thread, order);
                true
            }
        }
    }

    /// Find the next request of a thread: one that is known, or the next part of a request that is made in several, or
    /// what the program says.
    #[inline]
    fn ask(&mut self, graph: &mut Graph, thread: usize, order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>) {
        let mut answer = self.last_answer(graph, thread);
        let mut asked = Asked { key: self.key(graph, thread, answer), cut: Cut::NotAsked };
        let mut known = self.states.find(asked.key);
        if let Known::Retry(retry) = known {
            let cut = self.first_cut(graph, thread, self.states.short_cuts(retry));
            asked = Asked { key: Some(Key::after_retry(retry, cut)), cut: Cut::At(cut) };
            known = self.states.find(asked.key);
        }
        if let Known::State(state, needs) = known
            && self.has(graph, needs)
        {
            #[cfg(any(test, feature = "paranoid"))]
            self.verify_known(graph, thread, state, answer);
            graph.threads[thread].state = state;
            graph.status[thread] = self.states[state as usize].step.status();
            return;
        }
        if known != Known::Nothing || !self.states.has_room(asked.key) {
            asked.key = None;
        }
        let mut state = self.begin_state(graph, thread);
        let mut needs = Needs::ThisGraph;
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
            needs = self.next_request(graph, thread, (state, &mut asked), answer, order);
        }
        if let Some(key) = asked.key {
            let hints = self.program.hints();
            let sound = !self.may_be_wrong(&self.states[state as usize].step.request);
            state = self.states.keep(key, needs, sound, |cursor| hints.weight(cursor)).unwrap_or(state);
        }
        graph.threads[thread].state = state;
        graph.status[thread] = self.states[state as usize].step.status();
    }

    /// How the next state of a thread is found again, if it can be.
    #[inline]
    fn key(&self, graph: &Graph, thread: usize, answer: Answer) -> Option<Key> {
        if !self.states.has_tree() {
            return None;
        }
        match (graph.threads[thread].events.last(), answer) {
            (_, Answer::Unset { .. }) => None,
            (Some(last), Answer::Value(value)) => {
                Some(Key::Answer { before: last.state, value, failed: false })
            }
            (Some(last), Answer::Failed(value)) => {
                Some(Key::Answer { before: last.state, value, failed: true })
            }
            (None, _) => Some(match self.entry(graph, thread) {
                Entry::Initial(thread) => Key::Start { thread, code: 0, argument: 0 },
                Entry::Spawned { code, argument, .. } => Key::Start { thread: thread as u32, code, argument },
            }),
        }
    }

    /// Does a graph have what a known state needs?
    #[inline]
    fn has(&self, graph: &Graph, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::Room { allocation, bytes } => {
                let size = self.allocation(graph, allocation).map(|id| graph.event(id).size());
                size.is_some_and(|size| size >= bytes) || Mutant::KnownRoomIgnored.is_active()
            }
            Needs::ThisGraph => false,
        }
    }

    /// What a thread requests when its newest event, a read, reads this value, if that is known without asking.
    pub fn known_request_after(&self, graph: &Graph, event: &Event, value: Value) -> Option<&Request> {
        self.known_step_after(graph, event.state, value).map(|step| &step.request)
    }

    /// The same for a thread that is in this state, about to read.
    pub fn known_step_after(&self, graph: &Graph, state: u32, value: Value) -> Option<&Step> {
        let answer = self.states[state as usize].step.answer(value);
        match self.states.find(Some(Key::Answer { before: state, value: answer, failed: false })) {
            Known::State(state, needs) if self.has(graph, needs) => Some(&self.states[state as usize].step),
            _ => None,
        }
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

    /// What a thread is answered for its last event.
    #[inline]
    fn last_answer(&self, graph: &Graph, thread: usize) -> Answer {
        let Some(last) = graph.threads[thread].events.last() else { return Answer::NONE };
        self.answer_with_bits(graph, last)
    }

    #[inline]
    fn answer_with_bits(&self, graph: &Graph, event: &Event) -> Answer {
        match (self.answer(event), self.unset_bits(graph, event)) {
            (Answer::Value(value), bits @ 1..) => Answer::Unset { value, bits },
            (answer, _) => answer,
        }
    }

    /// What a thread was answered after this event, the last part of a request.
    pub(super) fn answer_then(&self, graph: &Graph, event: &Event) -> Answer {
        match self.step_of(event).then.final_answer() {
            Some(answer) => Answer::Value(answer),
            None => self.answer_with_bits(graph, event),
        }
    }

    /// A new state for a thread, with a copy of its last cursor.
    fn begin_state(&mut self, graph: &Graph, thread: usize) -> u32 {
        match graph.threads[thread].events.last() {
            Some(last) => self.states.follow(last.state),
            None => self.states.begin(self.program.start(self.entry(graph, thread))),
        }
    }

    /// How a thread starts.
    pub(super) fn entry(&self, graph: &Graph, thread: usize) -> Entry {
        let parent = graph.threads[thread].parent;
        if parent.is_init() {
            return Entry::Initial(thread as u32);
        }
        let Request::Spawn { code, argument } = self.step_of(graph.event(parent)).request else {
            unreachable!("a thread's parent is a spawn")
        };
        Entry::Spawned { code, argument, name: u64::from(self.tables.threads.name(thread)) }
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
            Kind::Join if event.tag == EventTag::Meets => Answer::Value(event.read),
            Kind::Count => Answer::Failed(event.read),
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
        rwlock_try::follow(&mut Resolver::new(tables, graph, thread, site, object_at), then, answer)
    }

    /// Ask the program, and put its request into the state. What the request needs besides the thread's answers.
    fn next_request(
        &mut self,
        graph: &Graph,
        thread: usize,
        (state, asked): (u32, &mut Asked),
        answer: Answer,
        order: &dyn Fn(&Graph) -> Vec<(EventId, EventId)>,
    ) -> Needs {
        let world = self.program.world();
        let (Action { site, operation }, may_be_followed) = match world {
            None => self.step_on(graph, thread, state, answer),
            Some(world) => (self.ask_world(world, graph, thread, &order(graph)), true),
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
        let short_cut =
            may_be_short_cut && self.takes_short_cut(graph, thread, state, (site, &operation), asked);
        let Run { program, tables, states, .. } = self;
        let object_at = &|address| program.hints().object_at(address);
        let step = &mut states[state as usize].step;
        let mut resolver = Resolver::new(tables, graph, thread, site, object_at);
        resolver.resolve(operation, step);
        let needs = resolver.needs;
        if short_cut {
            step.request = Request::Dropped;
        }
        if let Request::Wait(waiting) = step.request {
            self.note_wait(graph, thread, state, waiting);
        }
        self.has_spared |= self.program.hints().spared(&self.states[state as usize].cursor).is_some();
        if may_be_followed { Needs::ThisGraph } else { needs }
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

    /// Ask the program; a thread that waits is made to go on if its round may have been seen. Says whether the graph was
    /// asked about that.
    fn step_on(&mut self, graph: &Graph, thread: usize, state: u32, mut answer: Answer) -> (Action, bool) {
        let mut may_be_followed = false;
        loop {
            let action = self.program.step(&mut self.states[state as usize].cursor, answer);
            let Operation::Wait(Waiting::Spin { events }) = action.operation else {
                return (action, may_be_followed);
            };
            may_be_followed |= self.may_follow(thread);
            if !self.follow(graph, thread, state, events) {
                return (action, may_be_followed);
            }
            answer = Answer::NONE;
        }
    }

    /// A state was found again: would the program say the same?
    #[cfg(any(test, feature = "paranoid"))]
    fn verify_known(&mut self, graph: &Graph, thread: usize, known: u32, answer: Answer) {
        let count = self.states.len();
        let state = self.begin_state(graph, thread);
        let mut asked = Asked { key: None, cut: Cut::NotAsked };
        self.next_request(graph, thread, (state, &mut asked), answer, &|_| Vec::new());
        let (asked, known) = (&self.states[state as usize], &self.states[known as usize]);
        assert_eq!(
            format!("{:?}", asked.step),
            format!("{:?}", known.step),
            "a state that is kept is that of each graph"
        );
        self.states.truncate(count);
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

/// How a state is kept, if it is.
pub(super) struct Asked {
    pub key: Option<Key>,
    pub cut: Cut,
}
