//! Memory that threads allocate and free: cells, and locks that lie beside them.
//!
//! An object is allocated by one statement, before every use of it by the same thread and before the spawn of every
//! other thread that uses it. So a thread always knows where it is, whether it is still there or not.

use std::ops::Range;

use crate::program::{Stmt, TestProgram};

/// How many objects a program may have.
pub const OBJECTS: usize = 4;

/// What an object consists of.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape {
    /// Cells of 4 bytes.
    pub cells: u8,
    /// Are they 0 at first, or unknown?
    pub zeroed: bool,
    /// The locks that lie in it, after the cells.
    pub locks: Vec<u8>,
}

impl Shape {
    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        4 * (u64::from(self.cells) + self.locks.len() as u64)
    }
}

/// All objects of a program, and which places of memory their cells are.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    first: usize,
    /// The objects.
    pub shapes: Vec<Shape>,
}

impl Heap {
    /// The places of all cells.
    pub fn places(&self) -> Range<usize> {
        let cells = self.shapes.iter().map(|shape| shape.cells as usize).sum::<usize>();
        self.first..self.first + cells
    }

    /// The place of an object's first cell.
    pub fn place(&self, object: u8) -> u8 {
        let before = self.shapes.iter().take(object as usize);
        self.first as u8 + before.map(|shape| shape.cells).sum::<u8>()
    }

    /// The object and the cell of it at a place.
    pub fn at(&self, place: u8) -> Option<(u8, u8)> {
        (0..self.shapes.len() as u8).find_map(|object| {
            let cell = place.checked_sub(self.place(object))?;
            (cell < self.shapes[object as usize].cells).then_some((object, cell))
        })
    }

    /// The object that a lock lies in, and how many locks lie there before it.
    pub fn home(&self, lock: u8) -> Option<(u8, usize)> {
        (0..self.shapes.len()).find_map(|object| {
            let index = self.shapes[object].locks.iter().position(|&other| other == lock)?;
            Some((object as u8, index))
        })
    }

    /// Is nothing known about this place before the first write?
    pub fn is_unknown(&self, place: u8) -> bool {
        self.at(place).is_some_and(|(object, _)| !self.shapes[object as usize].zeroed)
    }
}

impl TestProgram {
    /// Its objects and where they are.
    pub fn heap(&self) -> Heap {
        Heap { first: self.init.len(), shapes: self.objects.clone() }
    }

    /// What a cell of an object is called: the first one as the object itself.
    pub fn cell_name(&self, place: u8) -> Option<String> {
        let (object, cell) = self.heap().at(place)?;
        Some(if cell == 0 { format!("o{object}") } else { format!("o{object}.{cell}") })
    }

    /// The place with this name, if it is one of a cell.
    pub fn cell_named(&self, name: &str) -> Option<u8> {
        self.heap().places().map(|place| place as u8).find(|&at| self.cell_name(at).as_deref() == Some(name))
    }

    /// What is wrong with objects: shapes, locks in two of them, objects allocated twice or used too early.
    pub(crate) fn check_objects(&self) -> Result<(), String> {
        if self.objects.len() > OBJECTS {
            return Err("too many objects".to_string());
        }
        let mut locks: Vec<u8> = self.objects.iter().flat_map(|shape| shape.locks.clone()).collect();
        if locks.iter().any(|&lock| lock >= self.locks) {
            return Err("an object with a lock that is not there".to_string());
        }
        locks.sort_unstable();
        if locks.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("a lock in two places".to_string());
        }
        let mut allocated = [0; OBJECTS];
        self.visit(&mut |stmt| {
            if let Stmt::Alloc(object) = stmt
                && let Some(count) = allocated.get_mut(*object as usize)
            {
                *count += 1;
            }
        });
        if allocated.iter().any(|&count| count > 1) {
            return Err("an object that is allocated twice".to_string());
        }
        if self.objects.is_empty() && !self.any(|stmt| matches!(stmt, Stmt::Alloc(_) | Stmt::Free(_))) {
            return Ok(());
        }
        let heap = self.heap();
        self.initial().into_iter().try_for_each(|thread| self.check_uses(&heap, thread, &[]))
    }

    fn check_uses(&self, heap: &Heap, thread: usize, known: &[u8]) -> Result<(), String> {
        self.check_block(heap, &self.threads[thread], &mut known.to_vec())
    }

    /// A thread knows what it allocated in the same or an outer block, and what was known where it was spawned.
    fn check_block(&self, heap: &Heap, body: &[Stmt], known: &mut Vec<u8>) -> Result<(), String> {
        let outside = known.len();
        for stmt in body {
            match stmt {
                Stmt::Alloc(object) if *object as usize >= self.objects.len() => {
                    return Err(format!("no object {object}"));
                }
                Stmt::Alloc(object) => known.push(*object),
                Stmt::Spawn(child) => self.check_uses(heap, *child as usize, known)?,
                Stmt::If { then, otherwise, .. } => {
                    self.check_block(heap, then, known)?;
                    self.check_block(heap, otherwise, known)?;
                }
                _ => {
                    if let Some(object) = touched(heap, stmt).filter(|object| !known.contains(object)) {
                        return Err(format!("object {object} may be used before it is there"));
                    }
                }
            }
        }
        known.truncate(outside);
        Ok(())
    }
}

/// The object whose memory a statement uses or frees.
fn touched(heap: &Heap, stmt: &Stmt) -> Option<u8> {
    match *stmt {
        Stmt::Load { loc, .. }
        | Stmt::Store { loc, .. }
        | Stmt::Update { loc, .. }
        | Stmt::Cas { loc, .. }
        | Stmt::WeakCas { loc, .. } => heap.at(loc).map(|(object, _)| object),
        Stmt::Lock(lock)
        | Stmt::ReadLock(lock)
        | Stmt::Unlock(lock)
        | Stmt::TryLock { lock, .. }
        | Stmt::Await { lock, .. } => heap.home(lock).map(|(object, _)| object),
        Stmt::Free(object) => Some(object),
        _ => None,
    }
}
