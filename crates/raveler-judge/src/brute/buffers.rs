//! Store buffers with room for a given number of stores, as relations.

use super::frame::Frame;
use crate::relation::{Rel, Set};

/// Pairs of events that share a buffer under TSO.
pub fn of_thread(frame: &Frame) -> Rel {
    frame.int
}

fn stores(frame: &Frame) -> Set {
    frame.w - frame.locked
}

fn row(rel: &Rel, event: usize) -> Set {
    Set(rel.0[event])
}

/// A store and what its thread does after `room` younger ones of the same buffer: by then the store is in memory.
pub fn made_room(frame: &Frame, room: u32, buffer: Rel) -> Rel {
    let (po, stores) = (frame.po, stores(frame));
    let mut result = Rel::EMPTY;
    for store in stores.iter() {
        for later in (row(&po, store) & (frame.r | frame.w)).iter() {
            let between = (row(&po, store) & row(&buffer, store) & stores).iter();
            if between.filter(|&younger| po.has(younger, later)).count() >= room as usize {
                result.insert(store, later);
            }
        }
    }
    result
}

/// The most stores of one buffer that a thread has issued since it last waited for empty buffers.
pub fn most_held(frame: &Frame, buffer: Rel) -> usize {
    let (po, stores) = (frame.po, stores(frame));
    // A `seq_cst` store is followed by a wait.
    let drains = ((frame.f | stores) & frame.sc) | frame.locked | frame.drains;
    let is_held = |older: usize, store: usize| {
        let between = row(&po, older) & drains;
        !frame.sc.has(older) && !between.iter().any(|drain| po.has(drain, store))
    };
    let held = |store: usize| {
        let older = stores.iter().filter(|&older| po.has(older, store) && buffer.has(older, store));
        1 + older.filter(|&older| is_held(older, store)).count()
    };
    // Initial writes are in no buffer.
    stores.iter().filter(|&store| store >= frame.places).map(held).max().unwrap_or(0)
}
