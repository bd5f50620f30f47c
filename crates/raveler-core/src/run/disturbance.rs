//! What a thread does to memory that others may be reading (docs/waits.md, "Spared rounds"): a program that asks for it is
//! told, once for each location and search.

use super::Run;
use crate::graph::{Graph, Kind, ThreadStatus};
use crate::id::{Address, AllocationId, EventId};
use crate::mutation::Mutant;
use crate::program::action::Order;
use crate::program::{Disturbance, Program};

/// What the program was told of a location.
const WRITTEN: u8 = 1;
const WRITTEN_PLAINLY: u8 = 2;

impl<P: Program> Run<'_, P> {
    /// An event was added: if it disturbs what another thread may read, the program is told. True if it has learned something
    /// by that, and the search must restart.
    #[inline]
    pub fn tells_disturbance(&mut self, graph: &Graph, id: EventId) -> bool {
        self.watches && self.disturbance(graph, id).is_some_and(|what| self.program.hints().disturbed(what))
    }

    fn disturbance(&mut self, graph: &Graph, id: EventId) -> Option<Disturbance> {
        let event = graph.event(id);
        let what = match event.kind {
            Kind::Write | Kind::Update | Kind::Count if !Mutant::WritesDisturbNobody.is_active() => {
                let plain = event.order == Order::Plain;
                let all = if plain { WRITTEN | WRITTEN_PLAINLY } else { WRITTEN };
                let at = event.loc as usize;
                if self.told.len() <= at {
                    self.told.resize(at + 1, 0);
                }
                if self.told[at] & all == all || is_alone(graph, id.thread()) {
                    return None;
                }
                self.told[at] |= all;
                Disturbance::Written { address: self.tables.memory.locations[at].address, plain }
            }
            Kind::Free if !Mutant::FreeDisturbsNobody.is_active() => {
                let begin = event.freed().address();
                Disturbance::Ended { begin, end: Address(begin.0 + AllocationId::MAX_SIZE) }
            }
            Kind::Initialise | Kind::Destroy => {
                let begin = event.word();
                Disturbance::Ended { begin, end: Address(begin.0 + 1) }
            }
            _ => return None,
        };
        (!is_alone(graph, id.thread())).then_some(what)
    }
}

/// Is there no other thread now, and was every one that there was joined? Then whatever this thread does is ordered with all
/// that others do, in every execution in which it does it here: only a thread that exists can start others.
///
/// Asked of the first thread only: no other one joins that.
fn is_alone(graph: &Graph, thread: usize) -> bool {
    if thread != 0 {
        return false;
    }
    let joined = graph.threads[0].events.iter().filter(|event| event.joins_thread()).count();
    let others = graph.status[1..].iter().filter(|&&status| status != ThreadStatus::Absent).count();
    joined >= others
}
