//! Graphs and parts of them as they are matched with one another: events with labels.

use rustc_hash::FxHashMap;

use super::relations::{real, rpo};
use crate::brute::frame::Frame;
use crate::brute::traces::Trace;
use crate::graph::{EventKind, Source};
use crate::relation::{Rel, Set};

/// Stands for what a read reads: the initial write.
pub const INIT: u8 = 254;
/// The same for what is no read.
pub const NONE: u8 = 255;

/// A thread and a label: kind, place, value, order, from an update?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Label {
    thread: u8,
    kind: Kind,
    place: u8,
    value: i64,
    /// Does it release, acquire, is it `seq_cst`?
    order: [bool; 3],
    update: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Read,
    Write,
    Fence,
    Spawn(u8),
    Join(u8),
    /// Takes a lock that is no place of memory.
    Lock {
        shared: bool,
    },
    Unlock,
}

/// Numbers for labels.
#[derive(Default)]
pub struct Labels(FxHashMap<Label, u16>);

/// The events of one choice of runs.
pub struct Events {
    /// The label of each event; none for what is no event of the graph.
    labels: Vec<Option<u16>>,
    /// The place of each event in its thread.
    indices: Vec<u8>,
    /// What may not be relaxed.
    rpo: Rel,
}

impl Events {
    /// What these runs do.
    pub fn new(frame: &Frame, traces: &[&Trace], labels: &mut Labels) -> Events {
        let mut events = Events { labels: Vec::new(), indices: Vec::new(), rpo: rpo(frame) };
        let mut counts = vec![0; traces.len()];
        for (event, &name) in frame.names.iter().enumerate() {
            let Source::Event(thread, index) = name else {
                events.labels.push(None);
                events.indices.push(0);
                continue;
            };
            let next = labels.0.len() as u16;
            let number = labels.0.entry(label(frame, traces, event, thread, index)).or_insert(next);
            events.labels.push(Some(*number));
            events.indices.push(counts[thread as usize]);
            counts[thread as usize] += 1;
        }
        events
    }
}

fn label(frame: &Frame, traces: &[&Trace], event: usize, thread: u8, index: u8) -> Label {
    let trace = traces[thread as usize];
    let step = &trace.steps[index as usize];
    let nth = |kind| trace.steps[..index as usize].iter().filter(|step| step.event.kind == kind).count();
    let kind = match step.event.kind {
        EventKind::Spawn => Kind::Spawn(trace.spawns[nth(EventKind::Spawn)]),
        EventKind::Join => Kind::Join(trace.joins[nth(EventKind::Join)]),
        EventKind::Lock if !frame.r.has(event) => Kind::Lock { shared: step.shared },
        EventKind::Unlock if !frame.w.has(event) => Kind::Unlock,
        _ if frame.f.has(event) => Kind::Fence,
        _ if frame.r.has(event) => Kind::Read,
        _ => Kind::Write,
    };
    Label {
        thread,
        kind,
        place: step.event.place.unwrap_or(u8::MAX),
        value: frame.values[event],
        order: [frame.rel.has(event), frame.acq.has(event), frame.sc.has(event)],
        update: step.locked && step.event.kind != EventKind::Unlock,
    }
}

/// The relations of one choice of runs and of a write for each read.
pub struct Relations {
    /// For each event the write that it reads.
    pub sources: Vec<u8>,
    /// From the end of a section to a lock that follows it, where locks are no places of memory.
    pub follows: Rel,
    /// `(po ∪ rf ∪ follows)⁺`
    pub porf: Rel,
    /// Happens-before.
    pub hb: Rel,
    /// `po ∪ rf ∪ follows ∪ race_WR`
    pub causes: Rel,
}

/// What tells parts apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The label of each event, thread by thread.
    pub labels: Vec<u16>,
    /// What each event reads: the number of an event, [`INIT`] or [`NONE`].
    pub rf: Vec<u8>,
    /// The coherence order.
    pub mo: Vec<u64>,
    /// What locks follow.
    pub follows: Vec<u64>,
}

/// A part of a graph that has everything from which `po ∪ rf` leads into it; relations as rows of bits.
pub struct Part {
    /// Labels, reads-from, coherence.
    pub key: Key,
    /// The thread of each event.
    pub threads: Vec<u8>,
    /// The place of each event in its thread.
    pub indices: Vec<u8>,
    /// `po`, with spawns and joins.
    pub po: Vec<u64>,
    /// What may not be relaxed.
    pub rpo: Vec<u64>,
    /// Updates.
    pub rmw: Vec<u64>,
    /// `(po ∪ rf)⁺`
    pub porf: Vec<u64>,
    /// Happens-before.
    pub hb: Vec<u64>,
    /// `(po ∪ rf ∪ race_WR)⁺`
    pub causes: Vec<u64>,
    /// The writes; the ends of sections are writes, too, where locks are no places of memory.
    pub writes: u64,
    /// What acquires or releases.
    pub strong: u64,
}

impl Part {
    /// How many events it has.
    pub fn len(&self) -> usize {
        self.threads.len()
    }
}

/// The events from which `po ∪ rf` leads into a cycle.
pub fn core(frame: &Frame, porf: &Rel) -> Set {
    let mut cyclic = Set::default();
    for event in 0..frame.names.len() {
        if porf.has(event, event) {
            cyclic.insert(event);
        }
    }
    let mut core = Set::default();
    for event in real(frame).iter() {
        if cyclic.has(event) || !(porf.after(event) & cyclic).is_empty() {
            core.insert(event);
        }
    }
    core
}

/// What tells this part from others.
pub fn key(frame: &Frame, events: &Events, part: Set, relations: &Relations, mo: &Rel) -> Key {
    let list: Vec<usize> = part.iter().collect();
    let number = |source: u8| match source {
        NONE => NONE,
        source if (source as usize) < frame.places => INIT,
        source => {
            list.iter().position(|&event| event == source as usize).expect("a part has its writes") as u8
        }
    };
    Key {
        labels: list.iter().map(|&event| events.labels[event].expect("all events have labels")).collect(),
        rf: list.iter().map(|&event| number(relations.sources[event])).collect(),
        mo: rows(mo, &list),
        follows: rows(&relations.follows, &list),
    }
}

/// The whole part.
pub fn part(key: Key, frame: &Frame, events: &Events, part: Set, relations: &Relations) -> Part {
    let list: Vec<usize> = part.iter().collect();
    let thread = |&event: &usize| match frame.names[event] {
        Source::Event(thread, _) => thread,
        Source::Init => unreachable!("initial writes are in no part"),
    };
    let members = |set: Set| {
        let bit = |(at, &event): (usize, &usize)| u64::from(set.has(event)) << at;
        list.iter().enumerate().map(bit).sum()
    };
    let mut ends = Set::default();
    frame.sections.iter().filter_map(|section| section.unlock).for_each(|unlock| ends.insert(unlock));
    // A race may lead out of the part and back into it; in the part alone it does not.
    let mut causes = rows(&relations.causes, &list);
    close(&mut causes);
    Part {
        key,
        threads: list.iter().map(thread).collect(),
        indices: list.iter().map(|&event| events.indices[event]).collect(),
        po: rows(&frame.order, &list),
        rpo: rows(&events.rpo, &list),
        rmw: rows(&frame.rmw, &list),
        porf: rows(&relations.porf, &list),
        hb: rows(&relations.hb, &list),
        causes,
        writes: members(frame.w | ends),
        strong: members(frame.rel | frame.acq),
    }
}

/// A relation among these events, which get new numbers.
fn rows(rel: &Rel, list: &[usize]) -> Vec<u64> {
    let row =
        |&from: &usize| list.iter().enumerate().map(|(at, &to)| u64::from(rel.has(from, to)) << at).sum();
    list.iter().map(row).collect()
}

/// Makes a relation transitive.
pub fn close(rows: &mut [u64]) {
    for middle in 0..rows.len() {
        let row = rows[middle];
        for other in rows.iter_mut() {
            if *other >> middle & 1 == 1 {
                *other |= row;
            }
        }
    }
}
