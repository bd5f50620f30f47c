//! Copies of graphs. A graph that becomes a copy of another one uses the memory that it has.

use super::{Graph, LocationAccesses, Thread};

impl Clone for Thread {
    fn clone(&self) -> Thread {
        let mut copy = Thread::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Thread) {
        let Thread { events, rows, state, parent, spawned, allocations } = other;
        self.events.clone_from(events);
        self.rows.clone_from(rows);
        self.state = *state;
        self.parent = *parent;
        self.spawned = *spawned;
        self.allocations.clone_from(allocations);
    }
}

impl Clone for LocationAccesses {
    fn clone(&self) -> LocationAccesses {
        LocationAccesses { writes: self.writes.clone(), last: self.last.clone() }
    }

    fn clone_from(&mut self, other: &LocationAccesses) {
        let LocationAccesses { writes, last } = other;
        self.writes.clone_from(writes);
        self.last.clone_from(last);
    }
}

impl Clone for Graph {
    fn clone(&self) -> Graph {
        let mut copy = Graph::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Graph) {
        self.copy_threads(other, other.threads.len());
    }
}

impl Graph {
    /// Become a copy of another graph, but for its last threads: only so many are copied.
    pub(crate) fn copy_threads(&mut self, other: &Graph, count: usize) {
        let Graph { threads, status, accesses, order, stride, width, clocks, sc_events, frees, counts } =
            other;
        self.threads.truncate(count);
        let there = self.threads.len();
        self.threads.iter_mut().zip(threads).for_each(|(to, from)| to.clone_from(from));
        self.threads.extend_from_slice(&threads[there..count]);
        self.status.clear();
        self.status.extend_from_slice(&status[..count]);
        self.accesses.clone_from(accesses);
        self.order.clone_from(order);
        self.stride = *stride;
        self.width = *width;
        self.clocks = *clocks;
        self.sc_events = *sc_events;
        self.frees.clone_from(frees);
        self.counts.clone_from(counts);
    }
}
