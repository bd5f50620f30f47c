//! Which earlier reads can a new write flip?
//!
//! A revisit deletes what is younger than the read and not in the past of the write. Each deleted event must be the one
//! that the search would have chosen first in the graph without it, so that exactly one path leads to each graph
//! (engine.md §3 and §9). Whether it is does not depend on which read is revisited.

use crate::consistency::{CanonicalReadTest, Consistency, happens_before};
use crate::graph::{Event, EventTag, Graph, Kind};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::observer::Observer;
use crate::program::Program;
use crate::program::action::Value;

use super::lock_order;
use super::{Explorer, Frame, FrameKind, Go, Level, Stage, verified};
use crate::run::resolve::{Request, Step};

impl<P: Program, K: Consistency, O: Observer<P>> Explorer<'_, P, K, O> {
    /// Look for the next read that the write can revisit; if there is one, start a level for it.
    pub(in crate::search) fn scan(&mut self, write: EventId) -> Option<Go> {
        loop {
            let read = self.next_revisit(write)?;
            if self.with_hb {
                let sequences = self.sequences;
                happens_before::compute_message(self.top_graph(), write, sequences);
            }
            self.lost.clear();
            let mut level = self.spare.pop().unwrap_or_else(|| Level {
                graph: Graph::default(),
                order: K::new(self.settings.model),
                frames: Vec::new(),
            });
            let parent = self.levels.last().expect("a search has a level");
            let lost = &mut self.lost;
            level.graph.revisit(&parent.graph, write, read, |loc| {
                if !lost.contains(&loc) {
                    lost.push(loc);
                }
            });
            let frame = Frame {
                kind: FrameKind::Revisit { write },
                stage: Stage::Next,
                event: read,
                states: self.states.len(),
                from: 0,
                until: 0,
                next: 0,
                given: false,
                scan: 0,
                consistent: false,
            };
            level.frames.clear();
            level.frames.push(frame);
            self.levels.push(level);
            self.set_source(read, write);
            if K::COHERENCE {
                let (level, _) = self.top();
                if level.graph.event(write).write_index > 0 {
                    level.graph.unplace_write(write);
                }
            }
            let above = self.levels.len() - 1;
            let (parents, own) = self.levels.split_at_mut(above);
            let consistent =
                own[0].order.revisited(&parents[above - 1].order, &own[0].graph, &self.lost, write, read);
            if !K::COHERENCE {
                verified::<K>(self.settings.model, &own[0].graph, consistent);
            }
            if consistent {
                self.counts.revisits += 1;
                return Some(Go::Back);
            }
            self.drop_level();
        }
    }

    pub(in crate::search) fn drop_level(&mut self) {
        let level = self.levels.pop().expect("a level to drop");
        self.spare.push(level);
    }

    /// The next older read that `write` may revisit. An event that the revisit would delete must be what the search
    /// would have chosen first; whether it is does not depend on the read, so the first one that is not ends the scan.
    pub(in crate::search) fn next_revisit(&mut self, write: EventId) -> Option<EventId> {
        let level = self.levels.last_mut().expect("a search has a level");
        let graph = &level.graph;
        let event = graph.event(write);
        let (loc, source) = (event.loc, event.rf);
        let frame = level.frames.last_mut().expect("called for a frame");
        let mut only = None;
        let mut youngest = u32::MAX;
        if self.tables.is_lock(loc) {
            only = lock_order::target(graph, write);
            let beyond = only.is_none_or(|target| {
                graph.event(target).stamp >= frame.scan || Graph::in_row(graph.porf(write), target)
            });
            if beyond {
                return None;
            }
        } else if event.kind == Kind::Update
            && !frame.consistent
            && let Some(rival) = rival(graph, write, source)
        {
            // Two updates of one write: the other has to be deleted or to read something else.
            if Graph::in_row(graph.porf(write), rival) {
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
            if id == write || Graph::in_row(graph.porf(write), id) {
                continue;
            }
            let event = graph.event(id);
            let states = &self.states;
            let step: &Step = &states[event.state as usize].step;
            let expected = match event.kind {
                Kind::Choose => {
                    Mutant::ChoiceIgnored.is_active()
                        || matches!(step.request, Request::Choose { low, .. } if low as Value == event.read)
                }
                Kind::Read | Kind::Write | Kind::Update => {
                    let in_place = event.tag != EventTag::Spurious
                        && (!event.pinned || Mutant::PinnedIgnored.is_active())
                        && (!event.kind.reads()
                            || Mutant::SourceIgnored.is_active()
                            || event.rf.is_init()
                            || graph.event(event.rf).stamp < event.stamp
                            || Graph::in_row(graph.porf(write), event.rf));
                    in_place
                        && if self.tables.is_lock(event.loc) {
                            !event.kind.reads()
                                || Mutant::LockExpectationIgnored.is_active()
                                || lock_order::is_expected(graph, write, id)
                        } else if K::COHERENCE {
                            Mutant::CoherenceLastIgnored.is_active()
                                || is_coherence_last(graph, write, id, event)
                        } else {
                            !event.kind.reads()
                                || Mutant::CanonicalIgnored.is_active()
                                || level.order.reads_canonical(&CanonicalReadTest {
                                    graph,
                                    write,
                                    read: id,
                                    ranks: &self.tables.names,
                                    label: &|value| step.label(value),
                                })
                        }
                }
                _ => true,
            };
            if !expected {
                frame.scan = 0;
                return None;
            }
            let wanted = match only {
                Some(target) => id == target,
                None => event.loc == loc && event.kind.reads() && event.stamp <= youngest,
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
pub(in crate::search) fn rival(graph: &Graph, update: EventId, source: EventId) -> Option<EventId> {
    let loc = graph.event(update).loc as usize;
    graph.accesses[loc]
        .writes
        .iter()
        .copied()
        .find(|&w| w != update && graph.event(w).kind == Kind::Update && graph.event(w).rf == source)
}

/// With a coherence order, a deleted access must be or see the last write of the part that is older than the access or
/// in the past of the revisiting write.
///
/// Deleted writes of the location that are younger were tested before and come after all writes of their part, which
/// contains this one: the writes of the part stand first in the list, and one look at the next write is enough.
pub(in crate::search) fn is_coherence_last(
    graph: &Graph,
    write: EventId,
    id: EventId,
    event: &Event,
) -> bool {
    let writes = &graph.accesses[event.loc as usize].writes;
    let is_last = |write_index: u32, beside: EventId| {
        let mut after = writes[write_index as usize..].iter().copied().filter(|&w| w != write && w != beside);
        after
            .next()
            .is_none_or(|w| graph.event(w).stamp >= event.stamp && !Graph::in_row(graph.porf(write), w))
    };
    (!event.kind.writes() || is_last(event.write_index, id))
        && (!event.kind.reads() || is_last(graph.write_index(event.rf), id))
}
