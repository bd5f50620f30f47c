//! Writes that cannot come in time for a read inside a section, because of what else their section writes.
//!
//! Let a section that is still to come write x and z whenever it writes x. If it lay before a section in which z was read
//! from somebody else, it would lie before the section of that one, too, and so on: and if one of these read what was
//! there at the beginning, or what the same thread wrote in an earlier section, it cannot. Then there is no reason to wait
//! for its x. What sections write together is learned when they end ([`super::lessons`]); if one is found that writes
//! less, the search starts again.

use super::Aware;
use super::lessons::Write;
use crate::action::LockMode;
use crate::graph::Loc;
use crate::id::EventId;
use crate::observer::Observer;
use crate::order::joint::Joint;
use crate::program::Program;

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
        self.mode == LockMode::Exclusive || mode == LockMode::Exclusive
    }
}

impl<P: Program, K: Joint, O: Observer<P>> Aware<'_, P, K, O> {
    /// Is there a lock that `thread` holds and that is held for the write of `other`, and would the section of that write
    /// have to lie behind the one of `thread`?
    pub(super) fn comes_too_late(&self, thread: usize, other: Option<usize>, write: &Write) -> bool {
        let order = self.order();
        order.held_ids(thread).any(|own| {
            let section = &order.sections[own];
            let address = self.address(section.lock);
            let held = write.held.iter().find(|(lock, _)| *lock == address);
            let with = write.with.iter().find(|(lock, _)| *lock == address);
            let (Some(&(_, mode)), Some((_, writes))) = (held, with) else { return false };
            let coming = Coming { thread: other, lock: section.lock, mode, writes };
            coming.excludes(section.mode) && !self.may_precede(&coming, own, &mut vec![own])
        })
    }

    /// May the section that is still to come lie before this one? `seen` was asked already.
    fn may_precede(&self, coming: &Coming<'_>, section: usize, seen: &mut Vec<usize>) -> bool {
        let (graph, order) = (self.graph(), self.order());
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
        self.order().sections.iter().position(|s| {
            s.lock == lock
                && s.span.lock.thread() == id.thread()
                && s.span.lock.index() < id.index()
                && s.span.unlock.is_none_or(|unlock| unlock.index() > id.index())
        })
    }

    /// A section ended: what did it write?
    pub(super) fn learn_section(&mut self, unlock: EventId) {
        let (graph, order) = (self.graph(), self.order());
        let thread = unlock.thread();
        let mine = |s: &&crate::order::sections::Section| s.span.lock.thread() == thread;
        let ended = order.sections.iter().find(|s| s.span.unlock == Some(unlock)).expect("it has just ended");
        let inside = ended.span.lock.index()..unlock.index();
        let lock = self.address(ended.lock);
        let mut written = Vec::new();
        let mut writes = Vec::new();
        for index in inside {
            let event = &graph.threads[thread].events[index as usize];
            if !event.kind.writes() {
                continue;
            }
            let address = self.address(event.loc);
            written.push(address);
            let around = order.sections.iter().filter(mine).filter(|s| {
                s.span.lock.index() < index && s.span.unlock.is_none_or(|unlock| unlock.index() > index)
            });
            writes.push((address, self.as_locks(around)));
        }
        written.sort_unstable();
        written.dedup();
        let name = self.base.tables.names[thread];
        for (address, held) in writes {
            self.lessons.end_section(address, name, &held, lock, &written);
        }
    }
}
