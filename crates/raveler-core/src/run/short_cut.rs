//! Short cuts of retry loops (docs/waits.md, "Short cuts"): where a failed try stands as if an earlier read had seen what
//! the try saw, what follows is seen in the exploration in which that read sees it.
//!
//! Which earlier reads are short cuts follows from what the thread was answered, so it is kept with its states; which of them
//! is taken depends on what the reads see in the graph at hand.

use super::Run;
use super::ask::Asked;
use super::states::tree::Key;
use crate::graph::{Event, EventTag, Graph, Kind};
use crate::id::SiteId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::{Answer, Operation, Order};

/// The short cut that stands for what follows a failed try.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    NotAsked,
    /// The index of the earlier read, if there is one in this graph.
    At(Option<usize>),
}

impl<P: Program> Run<'_, P> {
    /// Is this the failed try of a retry loop, and is what follows seen in the exploration in which an
    /// earlier read saw what the try saw (docs/waits.md, "Short cuts")?
    pub(super) fn takes_short_cut(
        &mut self,
        graph: &Graph,
        thread: usize,
        state: u32,
        action: (SiteId, &Operation),
        asked: &mut Asked,
    ) -> bool {
        let cut = match (asked.cut, asked.key) {
            (Cut::At(cut), _) => cut,
            // Which reads are short cuts follows from the thread's answers, which one is taken from the graph.
            (Cut::NotAsked, Some(key)) => {
                let all: Vec<u32> = self.short_cuts(graph, thread, state, action).map(|i| i as u32).collect();
                let cut = self.first_cut(graph, thread, &all);
                if !all.is_empty() {
                    asked.key = self.states.keep_retry(key, all).map(|retry| Key::after_retry(retry, cut));
                }
                cut
            }
            (Cut::NotAsked, None) => {
                self.short_cuts(graph, thread, state, action).find(|&i| is_elsewhere(graph, thread, i))
            }
        };
        let Some(earlier) = cut else { return false };
        // May a violation show only between that read and the try? Then the thread goes on, once.
        let events = &graph.threads[thread].events;
        let between = events[earlier + 1..events.len() - 1].iter().filter(|event| event.kind == Kind::Read);
        let address = |event: &Event| self.tables.memory.locations[event.loc as usize].address;
        let reads: Vec<_> = between.map(|event| (address(event), event.order)).collect();
        let stored = events[earlier + 1..].iter().find(|event| event.kind == Kind::Write).map(address);
        let hints = self.program.hints();
        if stored.is_some_and(|stored| !hints.overwrite(stored)) {
            return false;
        }
        !hints.spare(&mut self.states[state as usize].cursor, &reads)
    }

    /// Which of these short cuts is taken in a graph.
    pub(super) fn first_cut(&self, graph: &Graph, thread: usize, all: &[u32]) -> Option<usize> {
        if Mutant::KnownCutTaken.is_active() {
            return all.first().map(|&i| i as usize);
        }
        all.iter().map(|&i| i as usize).find(|&i| is_elsewhere(graph, thread, i))
    }

    /// A compare-exchange of a retry loop failed: the indices of the earlier reads of the location, the latest first, that
    /// would have led the thread to this state and action, had they seen what the compare-exchange saw.
    fn short_cuts<'b>(
        &'b self,
        graph: &'b Graph,
        thread: usize,
        state: u32,
        action: (SiteId, &'b Operation),
    ) -> impl Iterator<Item = usize> + 'b {
        let events = &graph.threads[thread].events;
        let last = &events[events.len() - 1];
        // What the next try is about to store to, if no other thread sees what is stored there.
        let stored = match *action.1 {
            Operation::Write { address, .. } if self.program.hints().is_unseen(address) => Some(address),
            _ => None,
        };
        let mut stores = 0;
        let mut is_harmless = move |event: &Event| match event.kind {
            Kind::Read => event.tag != EventTag::Lock,
            Kind::Fence => true,
            Kind::Update => event.written == event.read && event.tag == EventTag::Rmw,
            // The next try overwrites it. What the failed one saw must stay.
            Kind::Write => {
                stores += 1;
                stores == 1
                    && stored == Some(self.tables.memory.locations[event.loc as usize].address)
                    && (event.loc != last.loc || Mutant::ShortCutOverOwnStore.is_active())
            }
            _ => false,
        };
        (0..events.len() - 1)
            .rev()
            .take_while(move |&i| is_harmless(&events[i]) || Mutant::ShortCutOverEffects.is_active())
            .filter(|&i| events[i].kind == Kind::Read && events[i].loc == last.loc)
            .filter(move |&i| self.leads_here(graph, &events[i], last, action, state))
    }

    /// Would an earlier read have led its thread to this state and action, had it read what the last one read?
    fn leads_here(
        &self,
        graph: &Graph,
        earlier: &Event,
        last: &Event,
        (site, operation): (SiteId, &Operation),
        state: u32,
    ) -> bool {
        let before = &self.states[earlier.state as usize];
        let label = before.step.label(last.read);
        // Where happens-before has rows of its own, the earlier read must not synchronise more than the
        // one that failed.
        let more = graph.clocks.hb
            && strength(label.order) > strength(last.order)
            && !Mutant::ShortCutSynchronises.is_active();
        if label.written.is_some() || more {
            return false;
        }
        let mut other = before.cursor.clone();
        let next = self.program.step(&mut other, Answer::Value(before.step.answer(last.read)));
        let cursor = &self.states[state as usize].cursor;
        next.site == site && next.operation == *operation && self.program.hints().same(&other, cursor)
    }
}

/// Did an earlier read of this thread see another write than its last one? If it saw the same, the exploration that shows
/// what follows is this one. What the thread itself wrote back in between stands for its source.
fn is_elsewhere(graph: &Graph, thread: usize, earlier: usize) -> bool {
    let events = &graph.threads[thread].events;
    let mut source = events[events.len() - 1].rf;
    while !source.is_init() && source.thread() == thread && source.index() as usize > earlier {
        source = graph.event(source).rf;
    }
    events[earlier].rf != source || Mutant::ShortCutToItself.is_active()
}

/// How much a read with this order synchronises.
fn strength(order: Order) -> u8 {
    match order {
        Order::Plain | Order::Relaxed | Order::Release => 0,
        Order::Acquire | Order::AcqRel => 1,
        Order::SeqCst => 2,
    }
}
