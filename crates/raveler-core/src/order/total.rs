//! SC, TSO, PSO: one global order, kept as the closure of what is known of it.
//!
//! The order holds what each thread may not reorder, reads-from between threads, coherence and from-reads. With a
//! coherence order (`CO`) all of that is given and a cycle decides. Without one, what is forced is added until
//! nothing changes (w1, w2, r on one location; `→` is the order):
//!
//! - w1 → r and r reads w2: w1 → w2;
//! - w1 → w2 and r reads w1: r → w2;
//! - under TSO and PSO, where a thread may read its own write early: its last write before r counts as w1 → r.
//!
//! If writes are left unordered, the older one goes first, and where that fails the other (engine.md §7.4).
//!
//! An event can have more than one node: a store-store barrier before a release store (PSO), a full fence after a
//! `seq_cst` store.

use super::{Consistency, Explain, Test};
use crate::action::Order;
use crate::graph::{Event, Graph, Kind, Loc, Mark, NO_LOC, NONE};
use crate::id::EventId;
use crate::mutation::Mutant;
use crate::search::Model;

const WORD: usize = 64;

#[derive(Clone, Copy)]
struct Node {
    event: EventId,
    loc: Loc,
    /// The node of the write it reads, [`NONE`] for the initial write.
    source: u32,
    /// The node of the thread's last earlier write to the same location.
    own: u32,
    reads: bool,
    writes: bool,
}

/// What the next event of a thread comes after.
#[derive(Clone, Default)]
struct Line {
    /// The last load, or full fence.
    main: u32,
    /// The last store-store barrier.
    barrier: u32,
    /// The stores since, from `open` on.
    stores: Vec<u32>,
    open: usize,
    /// The node of each event that has one.
    nodes: Vec<u32>,
}

/// How an event takes part in its thread's order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Ordered with everything.
    Full,
    /// May overtake earlier stores.
    Load,
    /// May be overtaken.
    Store,
    /// Orders stores.
    Barrier,
    /// Not part of the order.
    Absent,
}

struct Undo {
    thread: u32,
    main: u32,
    barrier: u32,
    open: usize,
    stores: usize,
    nodes: usize,
    trail: usize,
}

/// The global order.
pub(crate) struct Total<const CO: bool> {
    model: Model,
    nodes: Vec<Node>,
    words: usize,
    before: Vec<u64>,
    /// Per location: which nodes write, which read.
    writers: Vec<u64>,
    readers: Vec<u64>,
    lines: Vec<Line>,
    undo: Vec<Undo>,
    trail: Vec<u64>,
    queue: Vec<u32>,
    row: Vec<u64>,
    extra: Vec<u64>,
    scratch: Option<Box<(Total<CO>, Graph)>>,
}

impl<const CO: bool> Total<CO> {
    fn empty(model: Model) -> Total<CO> {
        Total {
            model,
            nodes: Vec::new(),
            words: 1,
            before: Vec::new(),
            writers: Vec::new(),
            readers: Vec::new(),
            lines: Vec::new(),
            undo: Vec::new(),
            trail: Vec::new(),
            queue: Vec::new(),
            row: Vec::new(),
            extra: Vec::new(),
            scratch: None,
        }
    }

    fn reset(&mut self, model: Model) {
        self.model = model;
        self.nodes.clear();
        self.before.clear();
        self.writers.fill(0);
        self.readers.fill(0);
        for line in &mut self.lines {
            line.main = NONE;
            line.barrier = NONE;
            line.stores.clear();
            line.open = 0;
            line.nodes.clear();
        }
        self.undo.clear();
        self.trail.clear();
        self.queue.clear();
    }

    fn role(&self, event: &Event) -> Role {
        if self.model == Model::Sc {
            return match event.kind {
                Kind::Fence | Kind::Alloc | Kind::Free | Kind::Choose | Kind::Observe => Role::Absent,
                _ => Role::Full,
            };
        }
        match event.kind {
            Kind::Update | Kind::Spawn | Kind::Join => Role::Full,
            Kind::Read
                if event.mark == Mark::Rmw && event.written == 0 && Mutant::FailedCasUnlocked.is_active() =>
            {
                Role::Load
            }
            _ if event.mark != Mark::None && event.mark != Mark::Failed => Role::Full,
            Kind::Read if Mutant::LoadsWait.is_active() => Role::Full,
            Kind::Read => Role::Load,
            Kind::Write => Role::Store,
            Kind::Fence if event.order == Order::SeqCst => Role::Full,
            Kind::Fence
                if event.order.releases()
                    && self.model == Model::Pso
                    && !Mutant::ReleaseFenceIgnored.is_active() =>
            {
                Role::Barrier
            }
            _ => Role::Absent,
        }
    }

    #[inline]
    fn bit(row: &[u64], node: u32) -> bool {
        row[node as usize / WORD] >> (node as usize % WORD) & 1 != 0
    }

    #[inline]
    fn is_before(&self, a: u32, b: u32) -> bool {
        self.before[b as usize * self.words + a as usize / WORD] >> (a as usize % WORD) & 1 != 0
    }

    fn line(&mut self, thread: usize) -> &mut Line {
        while self.lines.len() <= thread {
            self.lines.push(Line { main: NONE, barrier: NONE, ..Line::default() });
        }
        &mut self.lines[thread]
    }

    fn touch(&mut self, loc: Loc) {
        let need = (loc as usize + 1) * self.words;
        if self.writers.len() < need {
            self.writers.resize(need, 0);
            self.readers.resize(need, 0);
        }
    }

    fn widen(&mut self) {
        let (old, new) = (self.words, self.words * 2);
        for rows in [&mut self.before, &mut self.writers, &mut self.readers] {
            let mut wider = Vec::with_capacity(rows.len() * 2);
            for row in rows.chunks_exact(old) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + new - old, 0);
            }
            *rows = wider;
        }
        let mut trail = Vec::with_capacity(self.trail.len() * 2);
        for entry in self.trail.chunks_exact(old + 1) {
            trail.extend_from_slice(entry);
            trail.resize(trail.len() + new - old, 0);
        }
        self.trail = trail;
        self.row.resize(new, 0);
        self.extra.resize(new, 0);
        self.words = new;
    }

    fn mark(&self) -> usize {
        self.trail.len() / (self.words + 1)
    }

    fn roll_back(&mut self, mark: usize) {
        while self.mark() > mark {
            let entry = self.trail.len() - self.words - 1;
            let start = self.trail[entry] as usize * self.words;
            self.before[start..start + self.words].copy_from_slice(&self.trail[entry + 1..]);
            self.trail.truncate(entry);
        }
        self.queue.clear();
    }

    /// `row` := what comes before a new node of the thread with this role.
    fn thread_row(&mut self, graph: &Graph, thread: usize, role: Role, loc: Loc) {
        self.line(thread);
        self.row.clear();
        self.row.resize(self.words, 0);
        let (main, barrier) = (self.lines[thread].main, self.lines[thread].barrier);
        if self.lines[thread].nodes.is_empty() {
            let spawn = self.spawn_node(graph, thread);
            self.gather(spawn);
        }
        self.gather(main);
        if role == Role::Load {
            return;
        }
        self.gather(barrier);
        let stores = self.lines[thread].stores.len();
        let open = self.lines[thread].open;
        match role {
            Role::Full | Role::Barrier => {
                for at in open..stores {
                    let store = self.lines[thread].stores[at];
                    self.gather(store);
                }
            }
            Role::Store if self.model == Model::Tso => {
                if stores > open {
                    let last = self.lines[thread].stores[stores - 1];
                    self.gather(last);
                }
            }
            Role::Store => {
                let last = self.lines[thread].stores[open..]
                    .iter()
                    .rev()
                    .find(|&&s| self.nodes[s as usize].loc == loc);
                if let Some(&last) = last
                    && !Mutant::SameLocationFree.is_active()
                {
                    self.gather(last);
                }
            }
            Role::Load | Role::Absent => {}
        }
    }

    fn spawn_node(&self, graph: &Graph, thread: usize) -> u32 {
        let parent = graph.threads[thread].parent;
        if parent.is_init() { NONE } else { self.node(parent) }
    }

    fn node(&self, id: EventId) -> u32 {
        self.lines[id.thread()].nodes[id.index() as usize]
    }

    /// `row` |= node and what comes before it.
    #[inline]
    fn gather(&mut self, node: u32) {
        if node == NONE {
            return;
        }
        let start = node as usize * self.words;
        for (to, from) in self.row.iter_mut().zip(&self.before[start..start + self.words]) {
            *to |= from;
        }
        self.row[node as usize / WORD] |= 1 << (node as usize % WORD);
    }

    /// A new node with `row` before it.
    fn add_node(&mut self, node: Node) -> u32 {
        if self.nodes.len() == self.words * WORD {
            self.widen();
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.before.extend_from_slice(&self.row[..self.words]);
        number
    }

    fn remember(&mut self, thread: usize) {
        let trail = self.mark();
        let nodes = self.nodes.len();
        let line = self.line(thread);
        let entry = Undo {
            thread: thread as u32,
            main: line.main,
            barrier: line.barrier,
            open: line.open,
            stores: line.stores.len(),
            nodes,
            trail,
        };
        self.undo.push(entry);
    }

    /// Take back the last event shown.
    fn take_back(&mut self) {
        let entry = self.undo.pop().expect("taken back after shown");
        self.roll_back(entry.trail);
        for number in entry.nodes..self.nodes.len() {
            let node = self.nodes[number];
            if node.loc != NO_LOC {
                let word = node.loc as usize * self.words + number / WORD;
                self.writers[word] &= !(1 << (number % WORD));
                self.readers[word] &= !(1 << (number % WORD));
            }
        }
        self.nodes.truncate(entry.nodes);
        self.before.truncate(entry.nodes * self.words);
        let line = &mut self.lines[entry.thread as usize];
        line.main = entry.main;
        line.barrier = entry.barrier;
        line.open = entry.open;
        line.stores.truncate(entry.stores);
        line.nodes.pop();
    }

    /// Add the nodes of an event that reads and writes nothing yet, and its place in its thread.
    fn enter(&mut self, graph: &Graph, id: EventId) -> u32 {
        let thread = id.thread();
        self.remember(thread);
        let event = *graph.event(id);
        let role = self.role(&event);
        let blank = Node { event: id, loc: NO_LOC, source: NONE, own: NONE, reads: false, writes: false };
        if self.lines[thread].nodes.is_empty() {
            let spawn = self.spawn_node(graph, thread);
            let line = &mut self.lines[thread];
            if !Mutant::SpawnOnceOrdered.is_active() {
                line.main = spawn;
                line.barrier = spawn;
            }
        }
        if role == Role::Absent {
            self.lines[thread].nodes.push(NONE);
            return NONE;
        }
        if self.model == Model::Pso
            && role == Role::Store
            && event.order.releases()
            && !Mutant::BarrierIgnored.is_active()
        {
            self.thread_row(graph, thread, Role::Barrier, NO_LOC);
            let barrier = self.add_node(blank);
            let line = &mut self.lines[thread];
            line.barrier = barrier;
            line.open = line.stores.len();
        }
        self.thread_row(graph, thread, role, event.loc);
        if event.kind == Kind::Join {
            self.gather_thread(graph, event.written as usize);
        }
        if event.kind.reads() && self.source_is_ordered(id, event.rf) {
            let source = self.node(event.rf);
            self.gather(source);
        }
        let mut node = blank;
        node.loc = event.loc;
        if event.loc != NO_LOC {
            node.own = self.own_write(graph, id);
        }
        let number = self.add_node(node);
        let line = &mut self.lines[thread];
        match role {
            Role::Full => {
                line.main = number;
                line.barrier = number;
                line.open = line.stores.len();
            }
            Role::Load => line.main = number,
            Role::Store => line.stores.push(number),
            Role::Barrier => {
                line.barrier = number;
                line.open = line.stores.len();
            }
            Role::Absent => {}
        }
        line.nodes.push(number);
        if role == Role::Store && event.order == Order::SeqCst && !Mutant::ScStoreUnfenced.is_active() {
            self.thread_row(graph, thread, Role::Full, NO_LOC);
            let fence = self.add_node(blank);
            let line = &mut self.lines[thread];
            line.main = fence;
            line.barrier = fence;
            line.open = line.stores.len();
        }
        number
    }

    /// Everything a joined thread did.
    fn gather_thread(&mut self, graph: &Graph, thread: usize) {
        if graph.threads[thread].events.is_empty() {
            let spawn = self.spawn_node(graph, thread);
            return self.gather(spawn);
        }
        let (main, barrier) = (self.lines[thread].main, self.lines[thread].barrier);
        self.gather(main);
        self.gather(barrier);
        for at in self.lines[thread].open..self.lines[thread].stores.len() {
            let store = self.lines[thread].stores[at];
            self.gather(store);
        }
    }

    /// The thread's last earlier write to the event's location.
    fn own_write(&self, graph: &Graph, id: EventId) -> u32 {
        if self.model == Model::Sc || Mutant::OwnWriteIgnored.is_active() {
            return NONE;
        }
        let events = &graph.threads[id.thread()].events;
        let mut i = events[id.index() as usize].prev;
        while i != NONE {
            if events[i as usize].kind.writes() {
                return self.lines[id.thread()].nodes[i as usize];
            }
            i = events[i as usize].prev;
        }
        NONE
    }

    fn set_reader(&mut self, graph: &Graph, number: u32, id: EventId) {
        let event = graph.event(id);
        self.touch(event.loc);
        let source = if event.rf.is_init() { NONE } else { self.node(event.rf) };
        let node = &mut self.nodes[number as usize];
        node.reads = true;
        node.source = source;
        self.readers[event.loc as usize * self.words + number as usize / WORD] |=
            1 << (number as usize % WORD);
    }

    fn set_writer(&mut self, number: u32) {
        let loc = self.nodes[number as usize].loc;
        self.touch(loc);
        self.nodes[number as usize].writes = true;
        self.writers[loc as usize * self.words + number as usize / WORD] |= 1 << (number as usize % WORD);
    }

    /// Is a read's source before it in the global order? Not if it reads its own thread's store early.
    fn source_is_ordered(&self, event: EventId, source: EventId) -> bool {
        !source.is_init()
            && (self.model == Model::Sc
                || event.thread() != source.thread()
                || Mutant::OwnReadOrdered.is_active())
    }

    /// Everything in `row` comes before `target`. False if that closes a cycle.
    fn raise(&mut self, target: u32) -> bool {
        if Self::bit(&self.row, target) {
            return false;
        }
        let start = target as usize * self.words;
        if self.before[start..start + self.words].iter().zip(&self.row).all(|(old, new)| new & !old == 0) {
            return true;
        }
        if self.words == 1 {
            self.raise_small(target);
            return true;
        }
        for number in 0..self.nodes.len() as u32 {
            if number == target || self.is_before(target, number) {
                let start = number as usize * self.words;
                let row = &mut self.before[start..start + self.words];
                if row.iter().zip(&self.row).all(|(old, new)| new & !old == 0) {
                    continue;
                }
                self.trail.push(number as u64);
                self.trail.extend_from_slice(row);
                for (to, from) in row.iter_mut().zip(&self.row) {
                    *to |= from;
                }
                if !CO {
                    self.queue.push(number);
                }
            }
        }
        true
    }

    /// The same for graphs of at most 64 nodes.
    fn raise_small(&mut self, target: u32) {
        let new = self.row[0];
        for (number, row) in self.before.iter_mut().enumerate() {
            if (number == target as usize || *row >> target & 1 != 0) && new & !*row != 0 {
                self.trail.push(number as u64);
                self.trail.push(*row);
                *row |= new;
                if !CO {
                    self.queue.push(number as u32);
                }
            }
        }
    }

    fn raise_from(&mut self, from: u32, target: u32) -> bool {
        self.row.clear();
        self.row.resize(self.words, 0);
        self.gather(from);
        self.raise(target)
    }

    /// Without a coherence order: add what is forced until nothing changes. False on a contradiction.
    fn saturate(&mut self) -> bool {
        while let Some(number) = self.queue.pop() {
            let node = self.nodes[number as usize];
            if node.reads && !self.saturate_read(number, node) {
                return false;
            }
            if node.writes && !self.saturate_write(number, node) {
                return false;
            }
        }
        true
    }

    /// w1 → r, r reads w2: w1 → w2.
    fn saturate_read(&mut self, number: u32, node: Node) -> bool {
        if Mutant::ReadRuleIgnored.is_active() {
            return true;
        }
        let mut found = false;
        self.row.clear();
        self.row.resize(self.words, 0);
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
    fn saturate_write(&mut self, number: u32, node: Node) -> bool {
        if Mutant::WriteRuleIgnored.is_active() {
            return true;
        }
        let mut found = false;
        self.row.clear();
        self.row.resize(self.words, 0);
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
    fn overwritten(&mut self, number: u32) -> bool {
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

    /// Are all writes of a location ordered? Then each has another number of writes before it.
    fn is_total(&self, loc: usize, count: u32) -> bool {
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

    /// Two writes of one location, neither before the other; the first is the older node.
    fn undecided(&self) -> Option<(u32, u32)> {
        let locations = self.writers.len() / self.words;
        for loc in 0..locations {
            let mask = &self.writers[loc * self.words..(loc + 1) * self.words];
            let count: u32 = mask.iter().map(|w| w.count_ones()).sum();
            if count < 2 || self.is_total(loc, count) {
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

    /// Can the writes left unordered be ordered? Leaves the order in place if so; the caller rolls back.
    fn complete(&mut self) -> bool {
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

    /// Is some coherence order left? Changes nothing.
    fn can_complete(&mut self) -> bool {
        if CO || Mutant::CompletionIgnored.is_active() || self.undecided().is_none() {
            return true;
        }
        let mark = self.mark();
        let found = self.complete();
        self.roll_back(mark);
        found
    }

    /// With a coherence order: the node's neighbours in its location's list.
    fn place(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let number = self.node(id);
        let writes = &graph.places[event.loc as usize].writes;
        let at = event.slot as usize - 1;
        let previous = if at == 0 { NONE } else { self.node(writes[at - 1]) };
        let next = writes.get(at + 1).map(|&w| self.node(w));
        self.row.clear();
        self.row.resize(self.words, 0);
        self.gather(previous);
        for w in 0..self.words {
            let mut reads = self.readers[event.loc as usize * self.words + w];
            while reads != 0 {
                let read = (w * WORD) as u32 + reads.trailing_zeros();
                reads &= reads - 1;
                if read != number && self.nodes[read as usize].source == previous {
                    self.gather(read);
                }
            }
        }
        self.raise(number) && next.is_none_or(|next| self.raise_from(number, next))
    }

    /// With a coherence order: a read comes before the write that follows its source.
    fn before_next(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let number = self.node(id);
        let own = self.nodes[number as usize].own;
        let slot = graph.slot(event.rf);
        if own != NONE && graph.event(self.nodes[own as usize].event).slot > slot {
            return false;
        }
        match graph.places[event.loc as usize].writes.get(slot as usize) {
            Some(&next) if next != id && !Mutant::FromReadIgnored.is_active() => {
                let next = self.node(next);
                self.raise_from(number, next)
            }
            _ => true,
        }
    }

    /// Enter a read that has its source.
    fn enter_read(&mut self, graph: &Graph, id: EventId) -> bool {
        let number = self.enter(graph, id);
        self.set_reader(graph, number, id);
        if CO {
            return true;
        }
        self.queue.push(number);
        self.overwritten(number) && self.saturate()
    }

    /// A read's node writes too.
    fn becomes_writer(&mut self, number: u32) -> bool {
        self.set_writer(number);
        self.queue.push(number);
        for other in 0..self.nodes.len() as u32 {
            if self.is_before(number, other) {
                self.queue.push(other);
            }
        }
        self.saturate()
    }

    /// Enter every event of a graph, each after its past. With a coherence order `left_out` stays out of its list.
    fn enter_all(&mut self, graph: &Graph, left_out: Option<EventId>) -> bool {
        let mut done = vec![0u32; graph.threads.len()];
        let mut left = graph.len();
        while left > 0 {
            let before = left;
            for t in 0..graph.threads.len() {
                while let Some(event) = graph.threads[t].events.get(done[t] as usize) {
                    let id = EventId::new(t as u32, done[t]);
                    let ready = |e: EventId| e.is_init() || e.index() < done[e.thread()];
                    if !ready(graph.before_in_thread(id))
                        || (event.kind.reads() || event.kind == Kind::Join) && !ready(event.rf)
                    {
                        break;
                    }
                    if !self.enter_any(graph, id, event, left_out) {
                        return false;
                    }
                    done[t] += 1;
                    left -= 1;
                }
            }
            debug_assert!(left < before, "the past of events has no cycle");
        }
        !CO || self.place_all(graph, left_out)
    }

    fn enter_any(&mut self, graph: &Graph, id: EventId, event: &Event, left_out: Option<EventId>) -> bool {
        if event.kind.reads() {
            if !self.enter_read(graph, id) {
                return false;
            }
            let number = self.node(id);
            if event.kind.writes() {
                if CO {
                    if left_out != Some(id) {
                        self.set_writer(number);
                    }
                } else if !self.becomes_writer(number) {
                    return false;
                }
            }
            return true;
        }
        let number = self.enter(graph, id);
        if event.kind.writes() {
            if CO && left_out == Some(id) {
                return true;
            }
            self.set_writer(number);
            if !CO {
                self.queue.push(number);
                return self.saturate();
            }
        }
        true
    }

    /// With a coherence order: all from-reads and coherence edges.
    fn place_all(&mut self, graph: &Graph, left_out: Option<EventId>) -> bool {
        for place in &graph.places {
            for pair in place.writes.windows(2) {
                let (a, b) = (self.node(pair[0]), self.node(pair[1]));
                if !self.raise_from(a, b) {
                    return false;
                }
            }
        }
        for &id in &graph.order {
            let event = graph.event(id);
            if event.kind.reads()
                && (left_out.is_none() || left_out != Some(event.rf))
                && !self.before_next(graph, id)
            {
                return false;
            }
        }
        true
    }
}

impl<const CO: bool> Consistency for Total<CO> {
    const COHERENCE: bool = CO;

    fn new(model: Model) -> Total<CO> {
        Total::empty(model)
    }

    fn sources(&mut self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let event = *graph.event(read);
        self.touch(event.loc);
        self.thread_row(graph, read.thread(), self.role(&event), event.loc);
        let own = self.own_write(graph, read);
        if own != NONE {
            self.row[own as usize / WORD] |= 1 << (own as usize % WORD);
        }
        self.extra.clear();
        self.extra.resize(self.words, 0);
        let mut any = false;
        for w in 0..self.words {
            let mut seen = self.row[w] & self.writers[event.loc as usize * self.words + w];
            while seen != 0 {
                any = true;
                let write = w * WORD + seen.trailing_zeros() as usize;
                seen &= seen - 1;
                for v in 0..self.words {
                    self.extra[v] |= self.before[write * self.words + v];
                }
            }
        }
        if !any {
            out.push(EventId::INIT);
        }
        for &write in &graph.places[event.loc as usize].writes {
            if !Self::bit(&self.extra, self.node(write)) {
                out.push(write);
            }
        }
    }

    fn read(&mut self, graph: &Graph, read: EventId) -> bool {
        let fine = self.enter_read(graph, read);
        if CO { fine && self.before_next(graph, read) } else { fine && self.can_complete() }
    }

    fn unread(&mut self, _graph: &Graph, _read: EventId) {
        self.take_back();
    }

    fn update(&mut self, graph: &Graph, update: EventId) -> bool {
        let number = self.node(update);
        let trail = self.mark();
        self.undo.push(Undo {
            thread: NONE,
            main: 0,
            barrier: 0,
            open: 0,
            stores: 0,
            nodes: number as usize,
            trail,
        });
        let fine = if CO {
            self.set_writer(number);
            self.place(graph, update)
        } else {
            self.becomes_writer(number) && self.can_complete()
        };
        if !fine {
            self.unupdate(graph, update);
        }
        fine
    }

    fn unupdate(&mut self, _graph: &Graph, _update: EventId) {
        let entry = self.undo.pop().expect("unupdate follows update");
        self.roll_back(entry.trail);
        let number = entry.nodes;
        let loc = self.nodes[number].loc as usize;
        self.nodes[number].writes = false;
        self.writers[loc * self.words + number / WORD] &= !(1 << (number % WORD));
    }

    fn write(&mut self, graph: &Graph, write: EventId) -> bool {
        let number = self.enter(graph, write);
        self.set_writer(number);
        let fine = if CO {
            self.place(graph, write)
        } else {
            self.queue.push(number);
            self.saturate()
        };
        if !fine {
            self.take_back();
        }
        fine
    }

    fn unwrite(&mut self, _graph: &Graph, _write: EventId) {
        self.take_back();
    }

    fn other(&mut self, graph: &Graph, event: EventId) {
        self.enter(graph, event);
    }

    fn unother(&mut self, _graph: &Graph, _event: EventId) {
        self.take_back();
    }

    fn rebuild(&mut self, graph: &Graph) -> bool {
        self.reset(self.model);
        let fine = self.enter_all(graph, None);
        self.undo.clear();
        self.trail.clear();
        fine && self.can_complete()
    }

    fn revisited(
        &mut self,
        parent: &Self,
        graph: &Graph,
        _lost: &[Loc],
        write: EventId,
        _read: EventId,
    ) -> bool {
        self.reset(parent.model);
        if !self.enter_all(graph, CO.then_some(write)) {
            return false;
        }
        self.undo.clear();
        self.trail.clear();
        self.can_complete()
    }

    fn revisit_placed(&mut self, graph: &Graph, write: EventId, read: EventId) -> bool {
        let number = self.node(write);
        let trail = self.mark();
        self.undo.push(Undo {
            thread: NONE,
            main: 0,
            barrier: 0,
            open: 0,
            stores: 0,
            nodes: number as usize,
            trail,
        });
        self.set_writer(number);
        self.place(graph, write) && self.before_next(graph, read)
    }

    fn revisit_unplaced(&mut self, graph: &Graph, write: EventId, _read: EventId) {
        self.unupdate(graph, write);
    }

    fn reads_canonical(&mut self, test: &Test<'_>) -> bool {
        let choices = test.better_choices();
        if choices.is_empty() {
            return true;
        }
        let mut scratch =
            self.scratch.take().unwrap_or_else(|| Box::new((Total::empty(self.model), Graph::default())));
        let (order, part) = &mut *scratch;
        part.become_part(test.graph, test.write, test.read);
        order.reset(self.model);
        let consistent = order.enter_all(part, None);
        debug_assert!(consistent, "a part of a consistent graph is consistent");
        let found = choices.iter().any(|&choice| test.allows(order, part, choice));
        self.scratch = Some(scratch);
        !found
    }
}

impl<const CO: bool> Explain for Total<CO> {
    fn last_writes(&mut self, graph: &Graph, locs: &[Loc], found: &mut dyn FnMut(&[u32])) {
        let mut row = vec![0; locs.len()];
        self.finish(graph, locs, 0, &mut row, found);
    }

    fn coherence(&mut self, graph: &Graph) -> Vec<Vec<EventId>> {
        let mark = self.mark();
        if !CO {
            self.complete();
        }
        let orders = (0..graph.places.len())
            .map(|loc| {
                let mut writes = graph.places[loc].writes.clone();
                if !CO {
                    // In a total order the number of predecessors is the place.
                    writes.sort_by_key(|&w| {
                        let number = self.node(w);
                        graph.places[loc]
                            .writes
                            .iter()
                            .filter(|&&v| self.is_before(self.node(v), number))
                            .count()
                    });
                }
                writes
            })
            .collect();
        self.roll_back(mark);
        orders
    }
}

impl<const CO: bool> Total<CO> {
    /// Fix the last write of each location in turn.
    fn finish(
        &mut self,
        graph: &Graph,
        locs: &[Loc],
        at: usize,
        row: &mut [u32],
        found: &mut dyn FnMut(&[u32]),
    ) {
        if at == locs.len() {
            if self.can_complete() {
                found(row);
            }
            return;
        }
        let writes = match graph.places.get(locs[at] as usize) {
            Some(place) if !place.writes.is_empty() => place.writes.clone(),
            _ => {
                row[at] = 0;
                return self.finish(graph, locs, at + 1, row, found);
            }
        };
        if CO {
            row[at] = writes.len() as u32;
            return self.finish(graph, locs, at + 1, row, found);
        }
        for &last in &writes {
            let mark = self.mark();
            let number = self.node(last);
            let fine = writes.iter().all(|&other| other == last || self.raise_from(self.node(other), number))
                && self.saturate();
            if fine {
                row[at] = graph.event(last).slot;
                self.finish(graph, locs, at + 1, row, found);
            }
            self.roll_back(mark);
        }
    }
}
