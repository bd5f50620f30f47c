//! Without a coherence order: what reads-from forces (saturation), and whether the writes left unordered can
//! be ordered (completion).
//!
//! The rules are those of [`super`]. What saturation refutes is inconsistent; what it accepts may still fail
//! to complete.

use super::{GlobalOrder, Node, WORD};
use crate::graph::{Graph, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;

impl<const CO: bool> GlobalOrder<CO> {
    /// The node reads its location, from the source that the event has.
    pub(super) fn set_reader(&mut self, graph: &Graph, number: u32, id: EventId) {
        if self.has_hb_layer() {
            return self.set_hb_reader(graph, id);
        }
        let event = graph.event(id);
        self.touch(event.loc);
        let source = if event.rf.is_init() { NONE } else { self.node(event.rf) };
        let node = &mut self.nodes[number as usize];
        node.reads = true;
        node.source = source;
        self.uses[event.loc as usize].reads += 1;
        self.readers[event.loc as usize * self.words + number as usize / WORD] |=
            1 << (number as usize % WORD);
    }

    /// The node writes its location.
    pub(super) fn set_writer(&mut self, number: u32) {
        let loc = self.nodes[number as usize].loc;
        self.touch(loc);
        let beside = !CO && !self.is_after_all(number);
        self.uses[loc as usize].beside += beside as u32;
        self.nodes[number as usize].beside = beside;
        self.nodes[number as usize].writes = true;
        self.writers[loc as usize * self.words + number as usize / WORD] |= 1 << (number as usize % WORD);
    }

    /// Do all other writes of its location come before this node?
    pub(super) fn is_after_all(&self, number: u32) -> bool {
        let at = self.nodes[number as usize].loc as usize * self.words;
        let before = &self.before[number as usize * self.words..];
        (0..self.words).all(|w| {
            let own = if number as usize / WORD == w { 1 << (number as usize % WORD) } else { 0 };
            self.writers[at + w] & !before[w] & !own == 0
        })
    }

    /// Without a coherence order: add what is forced until nothing changes. False on a contradiction.
    pub(super) fn saturate(&mut self) -> bool {
        while let Some(number) = self.queue.pop() {
            let node = self.nodes[number as usize];
            if node.reads && !self.saturate_read(number, node) {
                return false;
            }
            if node.hb_reads && !self.saturate_hb_read(number, node) {
                return false;
            }
            if node.writes && !self.saturate_write(number, node) {
                return false;
            }
        }
        true
    }

    /// w1 → r, r reads w2: w1 → w2.
    pub(super) fn saturate_read(&mut self, number: u32, node: Node) -> bool {
        if Mutant::ReadRuleIgnored.is_active() {
            return true;
        }
        let mut found = false;
        self.clear_row();
        for w in 0..self.words {
            let mut seen = self.before[number as usize * self.words + w];
            if node.own != NONE && node.own as usize / WORD == w {
                seen |= 1 << (node.own as usize % WORD);
            }
            let mut writes = seen & self.writers[node.loc as usize * self.words + w];
            if number as usize / WORD == w {
                writes &= !(1 << (number as usize % WORD));
            }
            if node.source == NONE {
                if writes != 0 {
                    return false;
                }
                continue;
            }
            writes &= !self.before[node.source as usize * self.words + w];
            if node.source as usize / WORD == w {
                writes &= !(1 << (node.source as usize % WORD));
            }
            while writes != 0 {
                let write = (w * WORD) as u32 + writes.trailing_zeros();
                writes &= writes - 1;
                found = true;
                self.gather(write);
            }
        }
        !found || self.raise(node.source)
    }

    /// w1 → w2, r reads w1: r → w2.
    pub(super) fn saturate_write(&mut self, number: u32, node: Node) -> bool {
        if Mutant::WriteRuleIgnored.is_active() {
            return true;
        }
        let mut found = false;
        self.clear_row();
        for w in 0..self.words {
            let mut reads = self.readers[node.loc as usize * self.words + w]
                & !self.before[number as usize * self.words + w];
            if number as usize / WORD == w {
                reads &= !(1 << (number as usize % WORD));
            }
            while reads != 0 {
                let read = (w * WORD) as u32 + reads.trailing_zeros();
                reads &= reads - 1;
                let source = self.nodes[read as usize].source;
                if source != number && (source == NONE || self.is_before(source, number)) {
                    found = true;
                    self.gather(read);
                }
            }
        }
        !found || self.raise(number)
    }

    /// A read was entered with its source: from-reads to the writes known to come after the source.
    pub(super) fn overwritten(&mut self, number: u32) -> bool {
        if Mutant::WriteRuleIgnored.is_active() {
            return true;
        }
        let node = self.nodes[number as usize];
        for w in 0..self.words {
            let mut writes = self.writers[node.loc as usize * self.words + w];
            while writes != 0 {
                let write = (w * WORD) as u32 + writes.trailing_zeros();
                writes &= writes - 1;
                if write != number
                    && write != node.source
                    && (node.source == NONE || self.is_before(node.source, write))
                    && !self.raise_from(number, write)
                {
                    return false;
                }
            }
        }
        true
    }

    /// Are all `count` writes of a location ordered? Then there are as many ordered pairs as pairs.
    pub(super) fn is_total(&self, loc: usize, count: u32) -> bool {
        let mask = &self.writers[loc * self.words..(loc + 1) * self.words];
        let mut pairs = 0;
        for w in 0..self.words {
            let mut rest = mask[w];
            while rest != 0 {
                let write = w * WORD + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let before = &self.before[write * self.words..(write + 1) * self.words];
                pairs += before.iter().zip(mask).map(|(b, m)| (b & m).count_ones()).sum::<u32>();
            }
        }
        pairs == count * (count - 1) / 2
    }

    /// Two writes of one location of which neither is known to come before the other; the first is the older
    /// node.
    pub(super) fn undecided(&self) -> Option<(u32, u32)> {
        let locations = self.writers.len() / self.words;
        for loc in 0..locations {
            if self.uses[loc].beside == 0 {
                continue;
            }
            let mask = &self.writers[loc * self.words..(loc + 1) * self.words];
            let count: u32 = mask.iter().map(|w| w.count_ones()).sum();
            if self.is_total(loc, count) {
                continue;
            }
            for w in 0..self.words {
                let mut rest = mask[w];
                while rest != 0 {
                    let a = (w * WORD) as u32 + rest.trailing_zeros();
                    rest &= rest - 1;
                    for (v, &word) in mask.iter().enumerate().skip(w) {
                        let mut others = word & !self.before[a as usize * self.words + v];
                        if v == w {
                            others &= rest;
                        }
                        while others != 0 {
                            let b = (v * WORD) as u32 + others.trailing_zeros();
                            others &= others - 1;
                            if !self.is_before(a, b) {
                                return Some((a, b));
                            }
                        }
                    }
                }
            }
        }
        None
    }

    /// Can the writes left unordered be ordered? If so the order stays; the caller rolls back.
    pub(super) fn complete(&mut self) -> bool {
        let Some((a, b)) = self.undecided() else { return true };
        let mark = self.mark();
        for (first, second) in [(a, b), (b, a)] {
            if self.raise_from(first, second) && self.saturate() && self.complete() {
                return true;
            }
            self.roll_back(mark);
        }
        false
    }

    /// Does some coherence order complete what is known? Changes nothing.
    pub(super) fn can_complete(&mut self) -> bool {
        if CO || Mutant::CompletionIgnored.is_active() || self.undecided().is_none() {
            return true;
        }
        let mark = self.mark();
        let found = self.complete();
        self.roll_back(mark);
        found
    }

    /// Enter a read that has its source.
    pub(super) fn enter_read(&mut self, graph: &Graph, id: EventId) -> bool {
        let number = self.enter(graph, id);
        self.set_reader(graph, number, id);
        let number = self.reader(id);
        if CO || self.reads_last(number) {
            return true;
        }
        self.queue.push(number);
        (self.has_hb_layer() || self.overwritten(number)) && self.saturate()
    }

    /// Does this node read a write that all others are known to precede? Then the read forces nothing.
    pub(super) fn reads_last(&self, number: u32) -> bool {
        let node = &self.nodes[number as usize];
        match node.source {
            NONE => self.writers[node.loc as usize * self.words..][..self.words].iter().all(|&w| w == 0),
            source => self.is_after_all(source),
        }
    }

    /// The node of a read becomes a writer, too: the event is an update.
    pub(super) fn becomes_writer(&mut self, number: u32) -> bool {
        self.set_writer(number);
        if self.has_hb_layer() {
            // Its read is a node of the other layer; for the rules of updates it reads in the global order,
            // too.
            let Node { loc, source, .. } = self.nodes[number as usize - 1];
            let node = &mut self.nodes[number as usize];
            node.reads = true;
            node.source = source;
            self.uses[loc as usize].reads += 1;
            self.readers[loc as usize * self.words + number as usize / WORD] |= 1 << (number as usize % WORD);
            if !self.overwritten(number) {
                return false;
            }
        }
        self.queue.push(number);
        for other in 0..self.nodes.len() as u32 {
            if self.is_before(number, other) {
                self.queue.push(other);
            }
        }
        self.saturate()
    }
}
