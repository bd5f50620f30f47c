//! Which earlier reads can a new write revisit?
//!
//! A revisit deletes what is younger than the read and not in the past of the write. Each deleted event must
//! be the one that the search would have chosen first in its part of the graph ([`super::maximal`]), so that
//! exactly one path leads to each graph. That does not depend on which read is revisited: one scan from the
//! youngest event to the oldest finds all revisits by a write and ends at the first event that may not be
//! deleted.

use super::path::{Frame, FrameKind, Level};
use super::{Search, lock_order, maximal, verified};
use crate::consistency::{Consistency, happens_before};
use crate::graph::{Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::program::Program;

impl<P: Program, K: Consistency> Search<'_, P, K> {
    /// Begin a level for the next read that the write can revisit. False if there is none.
    pub(super) fn revisit_next(&mut self, write: EventId) -> bool {
        // An update that is not consistent with its source was not looked at in its own graph.
        let frame = self.path.top.frame();
        let written_before = frame.consistent || frame.kind == FrameKind::Write;
        while let Some(read) = self.next_revisit(write) {
            let settings = self.run.settings;
            happens_before::compute_message(&mut self.path.top.graph, write);
            self.path.push(|| Level::new(Graph::default(), K::new(settings)));
            let (parent, Level { graph, order, frames, .. }) = self.path.parent_and_top();
            self.lost.clear();
            graph.revisit(&parent.graph, write, read, |loc| {
                if !self.lost.contains(&loc) {
                    self.lost.push(loc);
                }
            });
            frames.clear();
            let frame = Frame::new(FrameKind::Revisit { write }, read, self.run.states.len());
            frames.push(Frame { shows_write: !written_before, ..frame });
            self.run.set_source(graph, read, write);
            if K::COHERENCE && graph.event(write).write_index > 0 {
                graph.unplace_write(write);
            }
            let consistent = order.revisited(&parent.order, graph, &self.lost, write, read);
            if !K::COHERENCE {
                verified::<K>(settings, graph, consistent);
            }
            if consistent {
                self.ledger.counts.revisits += 1;
                self.unask_failed(write);
                self.path.top.note_unasked();
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// The next older read that `write` may revisit.
    pub(super) fn next_revisit(&mut self, write: EventId) -> Option<EventId> {
        let Level { graph, order, frames, .. } = &mut self.path.top;
        let frame = frames.last_mut().expect("an event of this level has a frame");
        let graph = &*graph;
        let (event, past) = (graph.event(write), graph.porf(write));
        let (loc, source) = (event.loc, event.rf);
        let mut only = None;
        let mut youngest = u32::MAX;
        if self.run.tables.is_lock(loc) {
            only = lock_order::target(graph, write);
            let beyond = only
                .is_none_or(|target| graph.event(target).stamp >= frame.scan || Graph::in_row(past, target));
            if beyond {
                return None;
            }
        } else if event.kind == Kind::Update
            && !frame.consistent
            && let Some(rival) = rival::<K>(graph, write, source)
        {
            // Two updates read from one write: the revisit must delete the rival, or give it another source.
            if Graph::in_row(past, rival) {
                return None;
            }
            youngest = graph.event(rival).stamp;
            if Mutant::RivalSpared.is_active() {
                youngest = youngest.checked_sub(1)?;
            }
        }
        let oldest = graph.oldest_read_beside(loc, write).unwrap_or(frame.scan);
        while frame.scan > oldest {
            frame.scan -= 1;
            let id = graph.order[frame.scan as usize];
            if id == write || Graph::in_row(past, id) {
                continue;
            }
            if !maximal::may_be_deleted(&self.run, graph, order, (write, past), id) {
                frame.scan = 0;
                return None;
            }
            let event = graph.event(id);
            let wanted = match only {
                Some(target) => id == target,
                None => {
                    event.loc == loc
                        && event.kind.reads()
                        && event.stamp <= youngest
                        && self.run.comes_after_twin(graph, id, write)
                }
            };
            let revisited =
                event.kind.reads() && !event.rf.is_init() && graph.event(event.rf).stamp > event.stamp;
            if wanted && !(revisited && Mutant::NoSecondRevisit.is_active()) {
                return Some(id);
            }
        }
        None
    }
}

/// Another update that reads from the same write.
fn rival<K: Consistency>(graph: &Graph, update: EventId, source: EventId) -> Option<EventId> {
    let writes = &graph.accesses[graph.event(update).loc as usize].writes;
    let is_rival =
        |w: &EventId| *w != update && graph.event(*w).kind == Kind::Update && graph.event(*w).rf == source;
    if K::COHERENCE {
        // An update stands directly after its source.
        let next = writes.get(graph.write_index(source) as usize).copied().filter(is_rival);
        debug_assert_eq!(next, writes.iter().copied().find(is_rival));
        return next;
    }
    writes.iter().copied().find(is_rival)
}
