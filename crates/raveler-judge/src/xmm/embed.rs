//! Committed events of a graph, and maps of them into another graph.

use super::parts::{INIT, NONE, Part};
use raveler_core::XmmRules;

/// Not fixed by anything.
const FREE: u8 = 255;

/// Committed events with all that a map has to keep. Equal patterns fit into the same graphs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    labels: Vec<u16>,
    /// The places of determined events in their threads, which a map keeps.
    fixed: Vec<u8>,
    /// What each event reads: the number of a committed event, [`INIT`] or [`NONE`].
    rf: Vec<u8>,
    mo: Vec<u64>,
    /// What locks follow, and how many sections each follows: no others.
    follows: Vec<u64>,
    followed: Vec<u8>,
    rpo: Vec<u64>,
    rmw: Vec<u64>,
    /// What needs causes in the other graph; empty rows where the rules ask for none.
    porf: Vec<u64>,
    /// Must the other graph have no more `rpo`?
    exact: bool,
}

impl Pattern {
    /// The committed events of a part, the determined ones among them.
    pub fn new(part: &Part, committed: u64, determined: u64, rules: XmmRules) -> Pattern {
        let list: Vec<usize> = (0..part.len()).filter(|&event| committed >> event & 1 == 1).collect();
        let number = |event: u8| match event {
            INIT | NONE => event,
            event => list.iter().position(|&other| other == event as usize).expect("E2 holds") as u8,
        };
        let rows = |rel: &[u64]| -> Vec<u64> {
            let row =
                |&from: &usize| list.iter().enumerate().map(|(at, &to)| (rel[from] >> to & 1) << at).sum();
            list.iter().map(row).collect()
        };
        let causal = rules == XmmRules::Default;
        let index = |&event: &usize| if determined >> event & 1 == 1 { part.indices[event] } else { FREE };
        Pattern {
            labels: list.iter().map(|&event| part.key.labels[event]).collect(),
            fixed: list.iter().map(index).collect(),
            rf: list.iter().map(|&event| number(part.key.rf[event])).collect(),
            mo: rows(&part.key.mo),
            follows: rows(&part.key.follows),
            followed: list.iter().map(|&event| followed(part, event)).collect(),
            rpo: rows(&part.rpo),
            rmw: rows(&part.rmw),
            porf: if causal { rows(&part.porf) } else { vec![0; list.len()] },
            exact: rules != XmmRules::Strict,
        }
    }

    /// Is there a map into this graph that keeps everything?
    pub fn fits(&self, source: &Part) -> bool {
        self.labels.iter().all(|label| source.key.labels.contains(label))
            && self.extend(source, &mut Vec::new())
    }

    fn extend(&self, source: &Part, map: &mut Vec<usize>) -> bool {
        let Some(&label) = self.labels.get(map.len()) else { return true };
        for event in 0..source.len() {
            if source.key.labels[event] != label || map.contains(&event) {
                continue;
            }
            map.push(event);
            if self.keeps(source, map) && self.extend(source, map) {
                return true;
            }
            map.pop();
        }
        false
    }

    /// Does the last event of the map go with the others?
    fn keeps(&self, source: &Part, map: &[usize]) -> bool {
        let last = map.len() - 1;
        let image = map[last];
        if self.fixed[last] != FREE && self.fixed[last] != source.indices[image] {
            return false;
        }
        if (self.rf[last] == INIT) != (source.key.rf[image] == INIT) {
            return false;
        }
        if self.followed[last] != followed(source, image) {
            return false;
        }
        (0..=last).all(|other| {
            self.keeps_pair(source, map, other, last) && self.keeps_pair(source, map, last, other)
        })
    }

    fn keeps_pair(&self, source: &Part, map: &[usize], a: usize, b: usize) -> bool {
        let has = |rel: &[u64], a: usize, b: usize| rel[a] >> b & 1 == 1;
        let (x, y) = (map[a], map[b]);
        let rpo = has(&self.rpo, a, b);
        (self.rf[b] as usize == a) == (source.key.rf[y] as usize == x)
            && has(&self.mo, a, b) == has(&source.key.mo, x, y)
            && has(&self.follows, a, b) == has(&source.key.follows, x, y)
            && if self.exact { rpo == has(&source.rpo, x, y) } else { !rpo || has(&source.rpo, x, y) }
            && (!has(&self.rmw, a, b) || has(&source.rmw, x, y))
            && (a == b || !has(&self.porf, a, b) || has(&source.causes, x, y))
    }
}

/// How many sections' ends a lock follows.
fn followed(part: &Part, lock: usize) -> u8 {
    part.key.follows.iter().filter(|row| *row >> lock & 1 == 1).count() as u8
}
