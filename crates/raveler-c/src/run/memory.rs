//! Memory that only one thread uses: part of the thread's state, copied when written.

use std::rc::Rc;

use raveler_core::{SiteId, Width};

/// The objects of one thread.
#[derive(Clone, Default, Hash)]
pub(super) struct Memory {
    /// By key; few, so they are looked for one after the other, the youngest first.
    objects: Option<Rc<List>>,
}

/// Objects by key.
type List = Vec<(u32, Rc<Piece>)>;

/// One object.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Piece {
    bytes: Vec<u8>,
    /// Which bits of each byte were never written; empty if all were.
    unknown: Vec<u8>,
    /// Where it comes from, and which one it is of those.
    place: Option<(u16, u32)>,
    /// The depth of the call it belongs to; 0 for the heap and global variables.
    depth: u32,
    /// Where the heap's objects were allocated.
    site: SiteId,
}

/// Why an access is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wrong {
    /// There is no such object any more.
    Gone,
    /// It ends before.
    Outside(u64),
}

impl Memory {
    fn find(&self, key: u32) -> Option<&Piece> {
        self.objects.as_ref()?.iter().rev().find(|(k, _)| *k == key).map(|(_, piece)| &**piece)
    }

    pub fn has(&self, key: u32) -> bool {
        self.find(key).is_some()
    }

    fn list(&mut self) -> &mut List {
        Rc::make_mut(self.objects.get_or_insert_with(Rc::default))
    }

    /// A new object; uninitialised if `known` is false.
    pub fn add(&mut self, key: u32, place: Option<(u16, u32)>, bytes: Vec<u8>, known: bool, depth: u32) {
        let unknown = if known { Vec::new() } else { vec![u8::MAX; bytes.len()] };
        self.list().push((key, Rc::new(Piece { bytes, unknown, place, depth, site: SiteId::NONE })));
    }

    /// A new object of the heap.
    pub fn add_to_heap(&mut self, key: u32, bytes: Vec<u8>, known: bool, site: SiteId) {
        let unknown = if known { Vec::new() } else { vec![u8::MAX; bytes.len()] };
        self.list().push((key, Rc::new(Piece { bytes, unknown, place: None, depth: 0, site })));
    }

    /// How many bytes all objects have.
    pub fn bytes(&self) -> usize {
        self.objects.iter().flat_map(|objects| objects.iter()).map(|(_, piece)| piece.bytes.len()).sum()
    }

    /// The objects that no call owns: key, bytes, and where they were allocated.
    pub fn lasting(&self) -> impl Iterator<Item = (u32, &[u8], SiteId)> {
        let list = self.objects.as_deref().map(Vec::as_slice).unwrap_or_default();
        list.iter()
            .filter(|(_, piece)| piece.depth == 0)
            .map(|(key, piece)| (*key, piece.bytes.as_slice(), piece.site))
    }

    /// Which one the next object of the stack is that comes from a place: the youngest of those that are there is the last.
    pub fn next(&self, place: u16) -> u32 {
        let list = self.objects.as_deref().map(Vec::as_slice).unwrap_or_default();
        let mut there = list.iter().rev().filter_map(|(_, piece)| piece.place);
        there.find(|&(other, _)| other == place).map_or(0, |(_, nth)| nth + 1)
    }

    /// The object of the stack that comes from this place and belongs to a call at this depth.
    pub fn local(&self, place: u16, depth: u32) -> Option<u32> {
        let list = self.objects.as_deref().map(Vec::as_slice).unwrap_or_default();
        // Those of outer calls are older.
        let mut local = list.iter().rev().take_while(|(_, piece)| piece.depth == 0 || piece.depth >= depth);
        let found = local
            .find(|(_, piece)| piece.depth == depth && piece.place.is_some_and(|(other, _)| other == place));
        found.map(|(key, _)| *key)
    }

    /// What lies where pointers can, in objects of at most so many bytes.
    pub fn words(&self, most: usize) -> impl Iterator<Item = u64> + '_ {
        let list = self.objects.as_deref().map(Vec::as_slice).unwrap_or_default();
        let small = list.iter().filter(move |(_, piece)| piece.bytes.len() <= most);
        small
            .flat_map(|(_, piece)| piece.bytes.chunks_exact(8))
            .map(|chunk| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// Remove an object. False if there is none.
    pub fn remove(&mut self, key: u32) -> bool {
        if !self.has(key) {
            return false;
        }
        let list = self.list();
        list.retain(|(k, _)| *k != key);
        if list.is_empty() {
            self.objects = None;
        }
        true
    }

    /// Make an object as if nothing had been written to it.
    pub fn clear(&mut self, key: u32) {
        let is_set =
            |piece: &Piece| piece.unknown.is_empty() || piece.unknown.iter().any(|&bits| bits != u8::MAX);
        if !self.find(key).is_some_and(is_set) {
            return;
        }
        if let Some((_, piece)) = self.list().iter_mut().rev().find(|(k, _)| *k == key) {
            let piece = Rc::make_mut(piece);
            piece.bytes.fill(0);
            piece.unknown = vec![u8::MAX; piece.bytes.len()];
        }
    }

    /// Remove the objects of calls at this depth or deeper.
    pub fn leave(&mut self, depth: u32) {
        let gone = |piece: &Piece| piece.depth >= depth;
        // Inner calls have the younger objects.
        let mut local =
            self.objects.iter().flat_map(|list| list.iter().rev()).filter(|(_, piece)| piece.depth > 0);
        if local.next().is_some_and(|(_, piece)| gone(piece)) {
            let list = self.list();
            list.retain(|(_, piece)| !gone(piece));
            if list.is_empty() {
                self.objects = None;
            }
        }
    }

    /// Do both hold the same?
    pub fn same(&self, other: &Memory) -> bool {
        match (&self.objects, &other.objects) {
            (None, None) => true,
            (Some(left), Some(right)) => {
                Rc::ptr_eq(left, right)
                    || left.len() == right.len()
                        && left.iter().zip(&**right).all(|((a, left), (b, right))| {
                            a == b && (Rc::ptr_eq(left, right) || left == right)
                        })
            }
            _ => false,
        }
    }

    pub fn size(&self, key: u32) -> Option<u64> {
        self.find(key).map(|piece| piece.bytes.len() as u64)
    }

    /// The value of some bytes, and which of its bits were never written.
    pub fn load(&self, key: u32, offset: u64, width: Width) -> Result<(u64, u64), Wrong> {
        let piece = self.find(key).ok_or(Wrong::Gone)?;
        let (start, n) = (offset as usize, width.bytes() as usize);
        let end = start.checked_add(n).ok_or(Wrong::Outside(piece.bytes.len() as u64))?;
        let bytes = piece.bytes.get(start..end).ok_or(Wrong::Outside(piece.bytes.len() as u64))?;
        let unknown = piece.unknown.get(start..start + n).unwrap_or_default();
        let join = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        Ok((join(bytes), join(unknown)))
    }

    /// The depth of the call that an object belongs to; 0 if it outlives all calls.
    pub fn depth_of(&self, key: u32) -> u32 {
        self.find(key).map_or(0, |piece| piece.depth)
    }

    /// Are there so many bytes?
    pub fn check(&self, key: u32, offset: u64, bytes: u64) -> Result<(), Wrong> {
        let size = self.find(key).ok_or(Wrong::Gone)?.bytes.len() as u64;
        if offset + bytes > size { Err(Wrong::Outside(size)) } else { Ok(()) }
    }

    /// The same if anybody wrote any of it, and the object is still there.
    pub fn written(&self, key: u32, offset: u64, width: Width) -> Option<(u64, u64)> {
        let (value, unknown) = self.load(key, offset, width).ok()?;
        (width.cut(!unknown) != 0).then_some((value, unknown))
    }

    /// Write a value, some of whose bits may be unknown.
    pub fn store(
        &mut self,
        key: u32,
        offset: u64,
        width: Width,
        (value, unknown): (u64, u64),
    ) -> Result<(), Wrong> {
        let size = self.size(key).ok_or(Wrong::Gone)?;
        if offset.checked_add(width.bytes()).is_none_or(|end| end > size) {
            return Err(Wrong::Outside(size));
        }
        let slot = self.list().iter_mut().rev().find(|(k, _)| *k == key);
        let Some((_, piece)) = slot else { return Err(Wrong::Gone) };
        let piece = Rc::make_mut(piece);
        let (start, n) = (offset as usize, width.bytes() as usize);
        piece.bytes[start..start + n].copy_from_slice(&value.to_le_bytes()[..n]);
        if piece.unknown.is_empty() && unknown != 0 {
            piece.unknown = vec![0; piece.bytes.len()];
        }
        if !piece.unknown.is_empty() {
            piece.unknown[start..start + n].copy_from_slice(&unknown.to_le_bytes()[..n]);
        }
        Ok(())
    }
}
