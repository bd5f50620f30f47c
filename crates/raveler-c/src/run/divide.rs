//! Shared memory whose bytes are accessed in different pieces: plain accesses are made in the smallest of them.
//!
//! How memory is divided is learned when accesses overlap, and the search starts again. What is atomic is never divided: then
//! the smaller accesses are of parts of it (`parts.rs`).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use raveler_core::{Address, Operation, Order, Overlap, SiteId, Width};

use super::cursor::Pending;
use super::step::Stop;
use super::{CProgram, Cursor};

/// Pieces of shared memory that were accessed by themselves.
#[derive(Default)]
pub(super) struct Divided {
    some: AtomicBool,
    /// Where they begin; how wide they are, and who needs them so.
    pieces: RwLock<BTreeMap<u64, (Width, SiteId)>>,
    some_whole: AtomicBool,
    /// Atomic objects that are accessed in parts, too.
    wholes: RwLock<BTreeMap<u64, Width>>,
}

/// The pieces of an access: where, and how wide.
type Pieces = Vec<(u64, Width)>;

impl Divided {
    /// Divide what two accesses have in common. False if that is so already.
    pub fn divide(&self, overlap: &Overlap) -> bool {
        let ((a, wide), (b, other)) = (overlap.here, overlap.there);
        let (start, end) = (a.0.min(b.0), (a.0 + wide.bytes()).max(b.0 + other.bytes()));
        let least = wide.min(other);
        let fits = |address: Address| (address.0 - start).is_multiple_of(least.bytes());
        let width = if fits(a) && fits(b) && fits(Address(end)) { least } else { Width::B1 };
        let wholes = self.wholes.read().unwrap_or_else(PoisonError::into_inner);
        if wholes.range(start.saturating_sub(7)..end).any(|(&at, whole)| at + whole.bytes() > start) {
            return false;
        }
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        let mut news = false;
        for at in (start..end).step_by(width.bytes() as usize) {
            let piece = pieces.entry(at).or_insert_with(|| {
                news = true;
                (width, overlap.site)
            });
            if piece.0 > width {
                *piece = (width, overlap.site);
                news = true;
            }
        }
        self.some.store(true, Ordering::Relaxed);
        news
    }

    /// The pieces that an access is made in, if there are several, and who needs them so.
    #[inline]
    fn of(&self, at: u64, width: Width) -> Option<(Pieces, SiteId)> {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        let end = at.checked_add(width.bytes())?;
        let (mut found, mut reason, mut here) = (Vec::new(), SiteId::NONE, at);
        while here < end {
            let known = pieces.get(&here);
            if let Some(&(_, site)) = known {
                reason = site;
            }
            let next = pieces.range(here + 1..end).next().map_or(end, |(&next, _)| next);
            let most = known.map_or(8, |(width, _)| width.bytes()).min(next - here);
            let width = [Width::B8, Width::B4, Width::B2].into_iter().find(|w| w.bytes() <= most);
            let width = width.unwrap_or(Width::B1);
            found.push((here, width));
            here += width.bytes();
        }
        (found.len() > 1).then_some((found, reason))
    }

    /// This is one atomic object, of which parts are accessed elsewhere.
    pub fn keep_whole(&self, at: u64, width: Width) {
        let inside = |start: &u64| (at..at + width.bytes()).contains(start);
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        pieces.retain(|start, _| !inside(start));
        pieces.insert(at, (width, SiteId::NONE));
        let mut wholes = self.wholes.write().unwrap_or_else(PoisonError::into_inner);
        wholes.retain(|start, _| !inside(start));
        wholes.insert(at, width);
        self.some.store(true, Ordering::Relaxed);
        self.some_whole.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub fn has_wholes(&self) -> bool {
        self.some_whole.load(Ordering::Relaxed)
    }

    /// The object that an access is a part of.
    pub fn whole_around(&self, at: u64, width: Width) -> Option<(Address, Width)> {
        let wholes = self.wholes.read().unwrap_or_else(PoisonError::into_inner);
        let (&start, &whole) = wholes.range(..=at).next_back()?;
        (width < whole && at + width.bytes() <= start + whole.bytes()).then_some((Address(start), whole))
    }

    /// All pieces, to be written down.
    pub fn pieces(&self) -> BTreeMap<u64, (Width, SiteId)> {
        self.pieces.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Pieces that were written down.
    pub fn recall(&self, pieces: BTreeMap<u64, (Width, SiteId)>) {
        self.some.store(!pieces.is_empty(), Ordering::Relaxed);
        *self.pieces.write().unwrap_or_else(PoisonError::into_inner) = pieces;
    }

    /// The width of the piece that begins at an address, if one was learned.
    pub fn at(&self, at: u64) -> Option<Width> {
        if !self.some.load(Ordering::Relaxed) {
            return None;
        }
        self.pieces.read().unwrap_or_else(PoisonError::into_inner).get(&at).map(|piece| piece.0)
    }
}

impl Cursor {
    /// A shared access in pieces, if it must be: what was read, and which of its bits nobody set. The instruction runs again
    /// with each answer.
    pub(super) fn in_pieces(
        &mut self,
        program: &CProgram,
        (at, width): (u64, Width),
        order: Order,
        write: Option<(u64, u64)>,
    ) -> Result<Option<(u64, u64)>, Stop> {
        if !program.divided.some.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let at = program.engine(at).0;
        let Some((pieces, reason)) = program.divided.of(at, width) else { return Ok(None) };
        if order.is_atomic() {
            let sites = &program.code.sources;
            let place = sites.sites.get(reason.0 as usize).map_or_else(String::new, |site| {
                format!(", at {}:{}", site.file.as_deref().unwrap_or(&sites.file), site.line)
            });
            return Err(Cursor::becomes_whole(program, at, width, &place));
        }
        let answers = self.answers.take().unwrap_or_default();
        if let Some(&(piece, width)) = pieces.get(answers.len()) {
            self.answers = Some(answers);
            let part = |value: u64| width.cut(value >> (8 * (piece - at)));
            let unset = write.map(|(_, unset)| part(unset));
            self.pending = Pending::Piece { writes: unset };
            if unset.is_some_and(|unset| unset != 0) {
                program.writes_unset();
            }
            let address = Address(piece);
            return Err(Stop::Action(match write {
                None => {
                    self.waits.access(piece, true);
                    Operation::Read { address, width, order }
                }
                Some((value, _)) => {
                    self.waits.effect();
                    Operation::Write { address, width, order, value: part(value) }
                }
            }));
        }
        let join = |(value, unset), (&(piece, width), &answer): (&(u64, Width), &u64)| {
            let put = |part: u64| width.cut(part) << (8 * (piece - at));
            (value | put(answer), unset | put(answer >> 32))
        };
        Ok(Some(pieces.iter().zip(&answers).fold((0, 0), join)))
    }
}

impl CProgram {
    /// From now on threads ask whether all bits of what they read were set.
    pub(super) fn writes_unset(&self) {
        self.writes_unset.store(true, Ordering::Relaxed);
    }
}
