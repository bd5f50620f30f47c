//! Following a run that was found before, step by step.

use super::{Buffers, Search};
use crate::graph::Kind;
use crate::id::EventId;
use crate::observer::Observer;
use crate::outcome::{Outcome, Trace, TraceEvent};
use crate::program::Program;
use crate::run::resolve::Request;
use crate::search::restart::Knowledge;
use crate::settings::{Equivalence, Locks, Settings};

/// Follow a run and report what is wrong with it. None if it is none of this program.
pub(in crate::search) fn follow<P: Program>(
    program: &P,
    settings: &Settings,
    knowledge: &Knowledge,
    trace: &Trace,
    observer: &mut dyn Observer<P>,
) -> Option<Outcome> {
    let (equivalence, locks) = (Equivalence::ReadsFrom, Locks::Ordered);
    // No other run is tried.
    let settings = &Settings { equivalence, locks, reduction: false, ..settings.clone() };
    let buffers = Buffers::of(settings.model)?;
    let mut search = Search::new(program, settings, buffers, knowledge, observer);
    search.run.meet_threads(&mut search.graph, &trace.threads)?;
    search.follow(trace)?;
    search.run.tables.restart.is_none().then(|| search.ledger.into_outcome())
}

impl<P: Program> Search<'_, P> {
    fn follow(&mut self, trace: &Trace) -> Option<()> {
        self.machine.grow(self.graph.threads.len());
        let mut flushes = trace.flushes.iter().peekable();
        let mut goes_on = self.settle();
        loop {
            if !goes_on {
                return None;
            }
            let here = self.graph.len();
            let (process, alternative) =
                if let Some(flush) = flushes.next_if(|flush| flush.after as usize <= here) {
                    let &id = self.graph.order.get(flush.event as usize)?;
                    let loc = self.graph.event(id).loc;
                    let is_buffered = self.graph.event(id).kind == Kind::Write
                        && self.machine.threads[id.thread()].entries.iter().any(|entry| entry.event == id);
                    (is_buffered.then(|| self.machine.flusher(id.thread(), loc))?, 0)
                } else if let Some(event) = trace.events.get(here) {
                    (self.machine.threads.get(event.thread as usize)?.process, self.alternative(event))
                } else {
                    break;
                };
            // What is left are threads that wait for locks: the leaf has events for them.
            let Some(access) = self.next_access(process) else { break };
            if alternative > 0 && alternative >= self.alternatives(process) {
                return None;
            }
            goes_on = self.make(process, access, alternative);
        }
        let made = self.graph.order.iter().zip(&trace.events);
        let as_told = |(id, event): (&EventId, &TraceEvent)| id.thread() == event.thread as usize;
        if !made.into_iter().all(as_told) {
            return None;
        }
        let processes = 0..self.machine.processes.len() as u32;
        if processes.into_iter().all(|process| self.next_access(process).is_none()) {
            self.leaf();
        }
        Some(())
    }

    /// Which of the ways to make its step the thread of an event takes.
    fn alternative(&self, event: &TraceEvent) -> u64 {
        match self.run.step(&self.graph, event.thread as usize).request {
            Request::Choose { low, .. } => event.chosen.wrapping_sub(low as u64),
            _ => u64::from(event.spurious),
        }
    }
}
