//! A list that grows at its end. Copies share all but its last piece: a thread that goes round a loop for thousands of times
//! is copied at each event, and what it remembers of its rounds would be copied as often.

use std::sync::Arc;

/// So many items are in a piece that is shared.
const PIECE: usize = 64;

pub(super) struct Long<T> {
    /// Full pieces.
    pieces: Vec<Arc<[T; PIECE]>>,
    /// What comes after them, less than a piece.
    rest: Vec<T>,
}

impl<T> Default for Long<T> {
    fn default() -> Self {
        Long { pieces: Vec::new(), rest: Vec::new() }
    }
}

impl<T: Copy> Clone for Long<T> {
    fn clone(&self) -> Self {
        Long { pieces: self.pieces.clone(), rest: self.rest.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.pieces.clone_from(&source.pieces);
        self.rest.clone_from(&source.rest);
    }
}

impl<T: Copy> Long<T> {
    pub fn len(&self) -> usize {
        self.pieces.len() * PIECE + self.rest.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.pieces.is_empty()
    }

    pub fn clear(&mut self) {
        self.pieces.clear();
        self.rest.clear();
    }

    pub fn push(&mut self, item: T) {
        self.rest.push(item);
        if let Ok(piece) = <[T; PIECE]>::try_from(&self.rest[..]) {
            self.pieces.push(Arc::new(piece));
            self.rest.clear();
        }
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        match self.pieces.get(at / PIECE) {
            Some(piece) => piece.get(at % PIECE),
            None => self.rest.get(at - self.pieces.len() * PIECE),
        }
    }

    pub fn last(&self) -> Option<&T> {
        self.rest.last().or_else(|| self.pieces.last().and_then(|piece| piece.last()))
    }

    /// The items from this one on, up to that one.
    pub fn between(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        debug_assert!(from <= to && to <= self.len());
        (from..to).map(|at| &self[at])
    }

    /// The items from this one on.
    pub fn from(&self, from: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.between(from, self.len())
    }

    /// Take all items away for which this is false.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let Some(first) = (0..self.len()).find(|&at| !keep(&self[at])) else { return };
        let behind: Vec<T> = self.from(first).copied().filter(keep).collect();
        self.truncate(first);
        behind.into_iter().for_each(|item| self.push(item));
    }

    fn truncate(&mut self, len: usize) {
        if let Some(piece) = self.pieces.get(len / PIECE) {
            self.rest.clear();
            self.rest.extend_from_slice(&piece[..len % PIECE]);
            self.pieces.truncate(len / PIECE);
        } else {
            self.rest.truncate(len - self.pieces.len() * PIECE);
        }
    }
}

impl<T: Copy> std::ops::Index<usize> for Long<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        self.get(at).expect("the list is that long")
    }
}

impl<T: Copy> std::ops::IndexMut<usize> for Long<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        let full = self.pieces.len() * PIECE;
        match self.pieces.get_mut(at / PIECE) {
            Some(piece) => &mut Arc::make_mut(piece)[at % PIECE],
            None => &mut self.rest[at - full],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is done to it, it holds what a vector would, and its copies keep what they had.
    #[test]
    fn it_is_a_list() {
        let (mut long, mut plain) = (Long::default(), Vec::new());
        let mut copies = Vec::new();
        let mut number = 1_u64;
        for round in 0..4_000_u64 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chosen = number >> 33;
            match chosen % 100 {
                0 => {
                    let least = chosen % 7;
                    long.retain(|item| item % 7 != least);
                    plain.retain(|item| item % 7 != least);
                }
                1 if !plain.is_empty() => {
                    let at = chosen as usize % plain.len();
                    long[at] = round;
                    plain[at] = round;
                }
                2 if round % 11 == 0 => {
                    long.clear();
                    plain.clear();
                }
                3 => copies.push((long.clone(), plain.clone())),
                4 => {
                    let mut again = Long::default();
                    again.push(round);
                    again.clone_from(&long);
                    long = again;
                }
                _ => {
                    long.push(chosen);
                    plain.push(chosen);
                }
            }
            assert_eq!((long.len(), long.is_empty()), (plain.len(), plain.is_empty()));
            assert_eq!(long.last(), plain.last());
            let from = plain.len() / 2;
            assert!(long.from(from).eq(&plain[from..]) && long.from(0).rev().eq(plain.iter().rev()));
            assert_eq!(long.get(plain.len()), None);
        }
        assert!(copies.len() > 20 && copies.iter().any(|(_, plain)| plain.len() > 3 * PIECE));
        assert!(copies.iter().all(|(long, plain)| long.from(0).eq(plain)));
    }
}
