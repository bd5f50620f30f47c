//! Following an execution that was found before. No read is postponed: each comes after its write.

use super::Search;
use super::alternatives::{FrameKind, Tried};
use crate::consistency::with_sections::WithSections;
use crate::graph::ThreadStatus;
use crate::id::EventId;
use crate::outcome::{Trace, TraceEvent, TraceSource};
use crate::program::Program;
use crate::run::resolve::Request;

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// Build the graph of a trace event by event, and look for what is wrong as the search does. None if it is no
    /// execution of this program.
    pub(in crate::search) fn follow(&mut self, trace: &Trace) -> Option<()> {
        self.restart();
        self.follows = true;
        self.run.meet_threads(&mut self.graph, &trace.threads)?;
        let mut made: Vec<EventId> = Vec::new();
        for event in &trace.events {
            let id = self.follow_event(event, &made)?;
            made.push(id);
        }
        self.look(true)?;
        for &thread in &trace.waiting {
            self.follow_wait(thread as usize)?;
        }
        self.ask_again();
        let (run, graph) = (&self.run, &self.graph);
        if !(0..graph.status.len()).any(|thread| run.enabled(graph, thread)) {
            self.leaf();
        }
        Some(())
    }

    /// Ask threads, and examine what is wrong with their requests. None if that cannot be.
    fn look(&mut self, is_last: bool) -> Option<()> {
        if !self.ask_threads() {
            return None;
        }
        self.examine();
        let Some(thread) = self.frames.last().map(|frame| frame.thread) else { return Some(()) };
        (self.note_standing(thread) || is_last).then_some(())
    }

    /// Make one event of the trace.
    fn follow_event(&mut self, event: &TraceEvent, made: &[EventId]) -> Option<EventId> {
        self.look(false)?;
        let thread = event.thread as usize;
        let status = *self.graph.status.get(thread)?;
        if status == ThreadStatus::Absent || !self.run.enabled(&self.graph, thread) {
            return None;
        }
        let mut frame = self.frame(FrameKind::Step, thread);
        frame.begun = true;
        let tried = match *self.request(thread) {
            Request::Read(_) | Request::Update { .. } => {
                let source = match event.source {
                    TraceSource::Nothing => return None,
                    TraceSource::Initial => EventId::INIT,
                    TraceSource::Event(at) => *made.get(at as usize)?,
                };
                let loc = self.run.step(&self.graph, thread).loc;
                let fits = source.is_init()
                    || self.graph.event(source).loc == loc && self.graph.event(source).kind.writes();
                fits.then(|| self.read(&mut frame, source, event.spurious))?
            }
            Request::Write { .. } => {
                let loc = self.run.step(&self.graph, thread).loc as usize;
                let writes = self.graph.accesses.get(loc).map_or(0, |place| place.writes.len());
                let fits = event.overtaken as usize <= writes && (K::COHERENCE || event.overtaken == 0);
                fits.then(|| self.write(&mut frame, u64::from(event.overtaken)))?
            }
            Request::Choose { low, high } => {
                let id = self.push_next(thread)?;
                if !(low..=high).contains(&(event.chosen as i64)) {
                    return None;
                }
                self.graph.event_mut(id).read = event.chosen;
                Some(self.enter(&mut frame, id))
            }
            _ => {
                let id = self.push_next(thread)?;
                Some(self.enter(&mut frame, id))
            }
        };
        if tried != Some(Tried::Fine) {
            return None;
        }
        self.frames.push(frame);
        let id = self.last_event()?;
        self.graph.event_mut(id).failed |= event.failed;
        Some(id)
    }

    /// A thread waits for a lock for ever.
    fn follow_wait(&mut self, thread: usize) -> Option<()> {
        let waits = self.graph.status.get(thread) == Some(&ThreadStatus::Steps)
            && matches!(self.request(thread), Request::Lock { waits: true, .. });
        if !waits {
            return None;
        }
        let mut frame = self.frame(FrameKind::Step, thread);
        frame.begun = true;
        let tried = self.block(&mut frame);
        self.frames.push(frame);
        (tried == Tried::Fine).then_some(())
    }
}
