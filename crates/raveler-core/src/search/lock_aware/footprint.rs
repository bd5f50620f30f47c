//! Writes that cannot come in time for a read inside a section, because of what else their section writes.
//!
//! Suppose that a section S, still to come, writes z whenever it writes x, and that a section R of the same
//! lock has read z from a section T. If S came before R, it would come before T, too: otherwise R would have
//! missed S's write of z. The same holds for what T has read, and so on. If one of these sections read the
//! initial value of z, or what the thread of S wrote to z in an earlier section, S cannot come before it; so
//! S comes after R, and R need not wait for S's x.
//!
//! What sections write together is learned when they end, and when they have gone past what they used to
//! write (`may_write.rs`). If a section is found that writes less, the search restarts. It is found whenever
//! that matters: take an execution that needs such sections, and S the first of them. The reader of z can be
//! postponed at its first read of anything that S is believed to write, since nothing that it has read by
//! then forbids that; meanwhile S goes past z, as nothing that S does depends on the reader.

use super::Search;
use super::lessons::{Together, Write};
use crate::consistency::with_sections::WithSections;
use crate::graph::Loc;
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;
use crate::program::action::LockMode;

/// A section that is still to come: its thread (none if that was not spawned yet), its lock, and what it is
/// believed to write.
struct Coming<'a> {
    thread: Option<usize>,
    lock: Loc,
    mode: LockMode,
    writes: &'a [u64],
}

impl Coming<'_> {
    /// Must it come wholly before or after a section of its lock that is held in this mode?
    fn excludes(&self, mode: LockMode) -> bool {
        self.mode.excludes(mode)
    }
}

impl<P: Program, K: WithSections> Search<'_, P, K> {
    /// Does `thread` hold a lock that `other` will hold for this write, such that the section of the write
    /// must come after the one of `thread`? Then `thread` cannot read the write there.
    pub(super) fn comes_too_late(
        &self,
        thread: usize,
        other: Option<usize>,
        address: u64,
        write: &Write,
    ) -> bool {
        let order = &self.order;
        order.held_ids(thread).any(|own| {
            let section = &order.sections[own];
            let lock = self.address(section.lock);
            let held = write.held.iter().find(|(theirs, _)| *theirs == lock);
            let with = self.lessons.together(Together { thread: write.thread, lock, address });
            let (Some(&(_, mode)), Some(writes)) = (held, with) else { return false };
            let coming = Coming { thread: other, lock: section.lock, mode, writes };
            coming.excludes(section.mode) && !self.may_precede(&coming, own, &mut vec![own])
        })
    }

    /// May the section that is still to come lie before this one? The sections in `seen` were asked already.
    fn may_precede(&self, coming: &Coming<'_>, section: usize, seen: &mut Vec<usize>) -> bool {
        let (graph, order) = (&self.graph, &self.order);
        let span = order.sections[section].span;
        let (thread, last) = (span.lock.thread(), span.last(graph).index() as usize);
        for event in &graph.threads[thread].events[span.lock.index() as usize..=last] {
            if !event.kind.reads() || coming.writes.binary_search(&self.address(event.loc)).is_err() {
                continue;
            }
            if event.rf.is_init() {
                return false;
            }
            let Some(source) = self.section_of(event.rf, coming.lock) else { continue };
            if source == section {
                continue;
            }
            let theirs = &order.sections[source];
            if Some(event.rf.thread()) == coming.thread {
                // If that section is still open it may be the coming section itself.
                if !theirs.is_open() {
                    return false;
                }
                continue;
            }
            if coming.excludes(theirs.mode) && !seen.contains(&source) {
                seen.push(source);
                if !self.may_precede(coming, source, seen) {
                    return false;
                }
            }
        }
        true
    }

    /// The section of this lock in which an event lies.
    fn section_of(&self, id: EventId, lock: Loc) -> Option<usize> {
        self.order.sections.iter().position(|s| s.lock == lock && s.span.contains(id))
    }

    /// A section ended: learn what it wrote.
    pub(super) fn learn_section(&mut self, unlock: EventId) {
        let (graph, order) = (&self.graph, &self.order);
        let thread = unlock.thread();
        let ended = order.sections.iter().find(|s| s.span.unlock == Some(unlock)).expect("it has just ended");
        let lock = self.address(ended.lock);
        let inside = ended.span.lock.index() as usize..unlock.index() as usize;
        let events = graph.threads[thread].events[inside].iter();
        let mut written: Vec<u64> = events.filter(|e| e.kind.writes()).map(|e| self.address(e.loc)).collect();
        written.sort_unstable();
        written.dedup();
        let name = self.run.tables.threads.names()[thread];
        for &address in &written {
            self.lessons.end_section(Together { thread: name, lock, address }, &written);
        }
    }

    /// A postponed read of this address can no longer be given a write. Learn from the open sections that did
    /// not write there, of threads that have gone past all events at which they were ever seen to: such
    /// sections write what they wrote without this address. They may never be seen to end, since nothing is
    /// explored after a read that waits in vain.
    pub(super) fn learn_passed(&mut self, address: u64) {
        if Mutant::EndsAwaited.is_active() {
            return;
        }
        let mut passed = Vec::new();
        for thread in 0..self.graph.threads.len() {
            let name = self.run.tables.threads.names()[thread];
            let events = &self.graph.threads[thread].events;
            if !self.lessons.has_gone_past(name, address, events.len() as u32) {
                continue;
            }
            for section in self.order.held(thread) {
                let inside = events[section.span.lock.index() as usize..].iter();
                let writes: Vec<u64> =
                    inside.filter(|e| e.kind.writes()).map(|e| self.address(e.loc)).collect();
                if !writes.contains(&address) {
                    let lock = self.address(section.lock);
                    passed.extend(writes.iter().map(|&w| Together { thread: name, lock, address: w }));
                }
            }
        }
        for section in passed {
            self.lessons.separate(section, address);
        }
    }
}
