//! What threads print, found out for executions that are shown: a search does not keep it.
//!
//! The state of a thread before each of its events is known. From a copy of it the thread goes on once more with the
//! answer that it was given, up to its next request, and what it prints on the way stands between the two.

use super::Run;
use super::resolve::Request;
use crate::graph::{Event, Graph, ThreadStatus};
use crate::outcome::Printed;
use crate::program::Program;
use crate::program::action::{Answer, Operation, Waiting};

/// A thread that is followed through rounds of a loop is followed through no more than these.
const MOST_ROUNDS: u32 = 1000;

impl<P: Program> Run<'_, P> {
    /// What a thread prints in an execution.
    pub fn printed(&self, graph: &Graph, thread: usize) -> Vec<Printed> {
        let hints = self.program.hints();
        let mut all = Vec::new();
        let events = &graph.threads[thread].events;
        let mut cursor = self.program.start(self.entry(graph, thread));
        if self.program.world().is_some() || !hints.listen(&mut cursor, None) {
            return all;
        }
        let mut after = 0;
        let mut answer = Answer::NONE;
        loop {
            self.go_on(graph, thread, after, &mut cursor, answer);
            let texts = hints.printed(&cursor).into_iter();
            all.extend(texts.map(|text| Printed { after: after as u32, text }));
            let Some(last) = self.next_asked(events, after) else { return all };
            let mut next = self.states[events[last].state as usize].cursor.clone();
            hints.listen(&mut next, Some(&cursor));
            cursor = next;
            answer = self.answer_then(graph, &events[last]);
            after = last + 1;
        }
    }

    /// The first event from `from` on after which the thread is asked: a request may be made in several parts.
    fn next_asked(&self, events: &[Event], from: usize) -> Option<usize> {
        let goes_on = |event: &Event| !event.ends_thread() && self.step_of(event).then.is_last();
        (from..events.len()).find(|&at| goes_on(&events[at]))
    }

    /// Let a thread go on to what it requested after so many events.
    fn go_on(&self, graph: &Graph, thread: usize, after: usize, cursor: &mut P::Cursor, answer: Answer) {
        // A round of a waiting loop may have been followed because another thread has seen it.
        let waits = match graph.threads[thread].events.get(after) {
            Some(_) => false,
            None => {
                graph.status[thread] == ThreadStatus::Unasked
                    || matches!(self.step(graph, thread).request, Request::Wait(_))
            }
        };
        let mut answer = answer;
        for _ in 0..MOST_ROUNDS {
            let action = self.program.step(cursor, answer);
            if waits || !matches!(action.operation, Operation::Wait(Waiting::Spin { .. })) {
                return;
            }
            answer = Answer::NONE;
        }
    }
}
