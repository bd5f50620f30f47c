//! Writes that cannot come in time for a read inside a section, because of what else their section writes.
//!
//! Let a section that is still to come write x and z whenever it writes x. If it lay before a section in which z was read
//! from somebody else, it would lie before the section of that one, too, and so on: and if one of these read what was
//! there at the beginning, or what the same thread wrote in an earlier section, it cannot. Then there is no reason to wait
//! for its x. What sections write together is learned when they end, and when they have gone past what they used to
//! write ([`super::may_write`]); if one is found that writes less, the search starts again.
//!
//! That is found whenever it matters: let it be the first such section in some order that is wanted. The reader of z can
//! wait at its first read of anything that sections of this kind are thought to write, since nothing is known there that
//! forbids it; meanwhile the section goes past z, as nothing that it does depends on the reader.

use super::Search;
use super::lessons::{Together, Write};
use crate::consistency::with_sections::WithSections;
use crate::graph::Loc;
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::LockMode;

/// A section that is still to come: whose, of which lock, and what it writes.
struct Coming<'a> {
    thread: Option<usize>,
    lock: Loc,
    mode: LockMode,
    writes: &'a [u64],
}

impl Coming<'_> {
    /// Must it lie wholly before or behind a section of its lock that is taken in this way?
    fn excludes(&self, mode: LockMode) -> bool {
        self.mode.excludes(mode)
    }
}

impl<P: Program, K: WithSections, O: Observer<P>> Search<'_, P, K, O> {
    /// Is there a lock that `thread` holds and that is held for the write of `other`, and would the section of that write
    /// have to lie behind the one of `thread`?
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

    /// May the section that is still to come lie before this one? `seen` was asked already.
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
                // If that section is still open it may be the one in question.
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

    /// The section of a lock in which an event lies.
    fn section_of(&self, id: EventId, lock: Loc) -> Option<usize> {
        self.order.sections.iter().position(|s| s.lock == lock && s.span.contains(id))
    }

    /// A section ended: what did it write?
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

    /// Somebody waits in vain for a write to this address: sections that are open have gone past it, if their threads
    /// ever made one. They may never be seen to end, since nothing is done behind a read that waits in vain.
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
