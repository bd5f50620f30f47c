//! Runs that look the same: the same events in each thread, and the same reads-from.

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashSet;

use crate::graph::{Event, Graph, Kind, NO_LOC, ThreadStatus};
use crate::id::EventId;
use crate::program::Program;
use crate::run::Run;

/// The classes that were seen, each as a number that in all likelihood no other one has.
#[derive(Default)]
pub(super) struct Classes {
    seen: FxHashSet<u128>,
    /// Kept for its memory.
    words: Vec<u64>,
}

impl Classes {
    pub fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// What another worker saw.
    pub fn add_all(&mut self, other: Classes) {
        self.seen.extend(other.seen);
    }

    /// A run was seen.
    pub fn add<P: Program>(&mut self, run: &Run<'_, P>, graph: &Graph) {
        self.words.clear();
        describe(run, graph, &mut self.words);
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &self.words).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        self.seen.insert(hash(0x9e37_79b9_7f4a_7c15) << 64 | hash(0x2545_f491_4f6c_dd1d));
    }
}

/// All that makes the class. Nothing in it depends on the order in which threads and memory were met.
fn describe<P: Program>(run: &Run<'_, P>, graph: &Graph, words: &mut Vec<u64>) {
    let names = run.tables.threads.names();
    let name = |write: EventId| match write.is_init() {
        true => u64::MAX,
        false => u64::from(names[write.thread()]) << 32 | u64::from(write.index()),
    };
    for &t in &run.tables.threads.by_rank {
        if graph.status.get(t).is_none_or(|&status| status == ThreadStatus::Absent) {
            continue;
        }
        let events = &graph.threads[t].events;
        words.push(u64::from(names[t]) << 32 | events.len() as u64);
        for (i, event) in events.iter().enumerate() {
            words.push((event.kind as u64) << 16 | (event.tag as u64) << 8 | event.order as u64);
            if matches!(event.kind, Kind::Spawn | Kind::Join) {
                words.push(u64::from(names[event.child()]));
                continue;
            }
            let memory = &run.tables.memory.locations;
            let address = if event.loc == NO_LOC { 0 } else { memory[event.loc as usize].address.0 };
            words.extend([address, event.read, event.written]);
            if event.kind == Kind::Lock {
                // Critical sections that are no words in memory have their order, too.
                let past = graph.porf(EventId::new(t as u32, i as u32));
                let before = run.tables.threads.by_rank.iter().filter_map(|&other| {
                    let all = graph.threads.get(other).map_or(&[][..], |thread| &thread.events[..]);
                    let taken = |earlier: &&Event| {
                        earlier.kind == Kind::Lock
                            && earlier.loc == event.loc
                            && earlier.lock_mode().excludes(event.lock_mode())
                    };
                    let count =
                        all.iter().take(past.get(other).map_or(0, |&n| n as usize)).filter(taken).count();
                    // Threads that other runs have make no difference.
                    (count > 0).then(|| u64::from(names[other]) << 32 | count as u64)
                });
                words.extend(before.chain([u64::MAX]));
            }
            if event.kind.reads() {
                words.push(name(event.rf));
            }
        }
    }
}
