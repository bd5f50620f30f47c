//! Calls far out: a thread that calls deeply keeps them in pieces that all its copies share.
//!
//! A cursor is copied with every event. If that copied all calls, deep recursion would take memory with the square of its
//! depth.

use std::rc::Rc;

use super::Cursor;
use super::cursor::Frame;

/// How many calls a piece holds; a cursor holds at most twice as many by itself.
const PIECE: usize = 16;

/// Some calls with their registers, and those around them.
#[derive(Clone, Default)]
pub(super) struct Outer {
    frames: Vec<Frame>,
    registers: Vec<u64>,
    /// How many calls there are, with those around.
    count: u32,
    around: Option<Rc<Outer>>,
}

impl Drop for Outer {
    /// One after the other: there may be many.
    fn drop(&mut self) {
        let mut next = self.around.take();
        while let Some(mut outer) = next.and_then(|outer| Rc::try_unwrap(outer).ok()) {
            next = outer.around.take();
        }
    }
}

impl Cursor {
    /// Put calls far out into a piece, if there are many.
    pub(super) fn put_away(&mut self) {
        if self.frames.len() < 2 * PIECE || !self.unknown.is_empty() {
            return;
        }
        let rest = self.frames.split_off(PIECE);
        let frames = std::mem::replace(&mut self.frames, rest);
        let shift = self.frames[0].base;
        let registers = self.registers.drain(..shift as usize).collect();
        for frame in &mut self.frames {
            frame.base -= shift;
        }
        self.base -= shift;
        self.failed = match self.failed {
            (function, pc, base) if base >= shift => (function, pc, base - shift),
            _ => (u32::MAX, 0, 0),
        };
        let count = PIECE as u32 + self.put_away_calls();
        self.outer = Some(Rc::new(Outer { frames, registers, count, around: self.outer.take() }));
    }

    /// Get the last piece back if no other call is left.
    pub(super) fn get_back(&mut self) {
        if !self.frames.is_empty() {
            return;
        }
        let Some(outer) = self.outer.take() else { return };
        let mut outer = Rc::unwrap_or_clone(outer);
        let shift = outer.registers.len() as u32;
        self.outer = outer.around.take();
        self.frames = std::mem::take(&mut outer.frames);
        let inner = std::mem::replace(&mut self.registers, std::mem::take(&mut outer.registers));
        self.registers.extend(inner);
        self.base += shift;
        self.failed.2 += shift;
        self.shift_unknown(shift);
    }

    /// How many calls are put away.
    pub(super) fn put_away_calls(&self) -> u32 {
        self.outer.as_ref().map_or(0, |outer| outer.count)
    }

    /// Are the same calls put away?
    pub(super) fn same_outer(&self, other: &Cursor) -> bool {
        let (mut left, mut right) = (self.outer.as_ref(), other.outer.as_ref());
        loop {
            match (left, right) {
                (None, None) => return true,
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return true,
                (Some(a), Some(b)) if a.frames == b.frames && a.registers == b.registers => {
                    (left, right) = (a.around.as_ref(), b.around.as_ref());
                }
                _ => return false,
            }
        }
    }

    /// The calls around the current one, the innermost first.
    pub(super) fn calls_around(&self) -> impl Iterator<Item = &Frame> {
        let pieces = std::iter::successors(self.outer.as_deref(), |outer| outer.around.as_deref());
        self.frames.iter().rev().chain(pieces.flat_map(|outer| outer.frames.iter().rev()))
    }
}
