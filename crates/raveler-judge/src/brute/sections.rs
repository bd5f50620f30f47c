//! Every order of the critical sections of every lock.
//!
//! Of two sections of one lock, not both shared, one comes before the other: its end before the other's beginning. One
//! that does not end has none behind it.

use std::collections::BTreeSet;

use super::frame::{Frame, Section};

/// Pairs of events, the release of a lock before the taking of it.
pub type Edges = BTreeSet<(usize, usize)>;

/// All orders, as edges between events. Without sections there is one, which is empty.
pub fn orders(frame: &Frame) -> Vec<Edges> {
    let mut all = vec![Edges::new()];
    let places: BTreeSet<u8> = frame.sections.iter().map(|section| section.place).collect();
    for place in places {
        let sections: Vec<Section> = frame.sections.iter().copied().filter(|s| s.place == place).collect();
        let mut found = BTreeSet::new();
        permute(&sections, &mut Vec::new(), &mut found);
        let join = |edges: &Edges| -> Vec<Edges> { found.iter().map(|more| edges | more).collect() };
        all = all.iter().flat_map(join).collect();
    }
    all
}

/// Orders that differ only in how readers lie among each other have the same edges.
fn permute(sections: &[Section], done: &mut Vec<usize>, found: &mut BTreeSet<Edges>) {
    if done.len() == sections.len() {
        found.extend(edges(sections, done));
        return;
    }
    for next in 0..sections.len() {
        let earlier =
            (0..next).any(|other| sections[other].thread == sections[next].thread && !done.contains(&other));
        if !earlier && !done.contains(&next) {
            done.push(next);
            permute(sections, done, found);
            done.pop();
        }
    }
}

fn edges(sections: &[Section], order: &[usize]) -> Option<Edges> {
    let mut edges = Edges::new();
    for (position, &later) in order.iter().enumerate() {
        for &earlier in &order[..position] {
            let (first, second) = (&sections[earlier], &sections[later]);
            if !(first.shared && second.shared) {
                edges.insert((first.unlock?, second.lock));
            }
        }
    }
    Some(edges)
}
