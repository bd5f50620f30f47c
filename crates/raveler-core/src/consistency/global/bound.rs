//! Store buffers with room for a given number of stores (docs/buffers.md).
//!
//! When a store finds its buffer full, the oldest one must have left: it is in memory before all that the thread
//! does afterwards. So a store, once as many younger ones of its buffer as there is room for were issued, comes
//! before every later event of its thread.

use super::GlobalOrder;
use crate::graph::NONE;
use crate::models::{GlobalRules, PreservedOrder};
use crate::mutation::Mutant;

/// The stores that had to leave full buffers.
pub(super) struct Bound {
    /// How many stores a buffer holds.
    room: u32,
    /// Some buffer would have held more if it could.
    pub(super) met: bool,
    /// One buffer for all locations of a thread?
    shared: bool,
    lines: Vec<Left>,
    /// One entry for each event that was shown and not taken back.
    undo: Vec<(usize, usize, u32)>,
}

/// What had to leave the buffers of one thread.
#[derive(Clone)]
struct Left {
    /// Nodes of stores; those from `open` on are not known yet to come before the thread's last load, fence or
    /// read-modify-write.
    stores: Vec<u32>,
    open: usize,
    /// The last node that waited for empty buffers.
    drained: u32,
}

impl Bound {
    /// None without a bound, and where there are no buffers.
    pub(super) fn new(rules: GlobalRules, room: Option<u32>) -> Option<Box<Bound>> {
        let room = match room? {
            room if Mutant::BoundTooLarge.is_active() => room.saturating_add(1),
            room if Mutant::BoundTooSmall.is_active() => room.saturating_sub(1),
            room => room,
        };
        let shared = match rules.preserved {
            PreservedOrder::All => return None,
            PreservedOrder::StoresBeforeStores => true,
            PreservedOrder::StoresOfOneLocation => Mutant::BoundPerThread.is_active(),
        };
        Some(Box::new(Bound { room, met: false, shared, lines: Vec::new(), undo: Vec::new() }))
    }

    /// An empty bound of the same size.
    pub(super) fn anew(&self) -> Box<Bound> {
        Box::new(Bound { met: false, lines: Vec::new(), undo: Vec::new(), ..*self })
    }

    pub(super) fn reset(&mut self) {
        for line in &mut self.lines {
            line.stores.clear();
            line.open = 0;
            line.drained = NONE;
        }
        self.undo.clear();
    }

    fn line(&mut self, thread: usize) -> &mut Left {
        if self.lines.len() <= thread {
            self.lines.resize(thread + 1, Left { stores: Vec::new(), open: 0, drained: NONE });
        }
        &mut self.lines[thread]
    }

    pub(super) fn remember(&mut self, thread: usize) {
        let line = self.line(thread);
        let entry = (line.stores.len(), line.open, line.drained);
        self.undo.push(entry);
    }

    pub(super) fn take_back(&mut self, thread: usize) {
        let (stores, open, drained) = self.undo.pop().expect("taken back after shown");
        let line = &mut self.lines[thread];
        line.stores.truncate(stores);
        (line.open, line.drained) = (open, drained);
    }

    pub(super) fn forget_undo(&mut self) {
        self.undo.clear();
    }

    /// A load: what left before it comes before all that follows it.
    pub(super) fn loaded(&mut self, thread: usize) {
        let line = self.line(thread);
        line.open = line.stores.len();
    }

    /// An event that waited for empty buffers.
    pub(super) fn drained(&mut self, thread: usize, node: u32) {
        self.loaded(thread);
        self.line(thread).drained = node;
    }

    fn is_full(&mut self, thread: usize, oldest: u32) {
        self.met |= !Mutant::BoundUnnoticed.is_active();
        self.line(thread).stores.push(oldest);
    }
}

impl<const CO: bool> GlobalOrder<CO> {
    /// `row` |= the stores that had to leave their buffers before the next event of the thread.
    #[inline]
    pub(super) fn gather_left(&mut self, thread: usize) {
        let Some(bound) = self.bound.take() else { return };
        if let Some(left) = bound.lines.get(thread) {
            left.stores[left.open..].iter().rev().for_each(|&store| self.gather(store));
        }
        self.bound = Some(bound);
    }

    /// A store was added: if it finds its buffer full, the oldest one there has to leave.
    #[inline]
    pub(super) fn stored(&mut self, thread: usize, store: u32) {
        let Some(bound) = &mut self.bound else { return };
        let room = bound.room as usize;
        let drained = bound.line(thread).drained;
        let is_buffered = |node: u32| node != NONE && (drained == NONE || node > drained);
        let oldest = if bound.shared {
            let stores = &self.lines[thread].stores;
            stores.len().checked_sub(room + 1).map_or(NONE, |at| stores[at])
        } else {
            let mut oldest = store;
            for _ in 0..room {
                if !is_buffered(oldest) {
                    break;
                }
                oldest = self.nodes[oldest as usize].own;
            }
            oldest
        };
        if is_buffered(oldest) {
            bound.is_full(thread, oldest);
        }
    }
}
