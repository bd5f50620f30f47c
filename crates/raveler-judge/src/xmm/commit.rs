//! Which events of a graph may be the committed ones.

use super::parts::{INIT, NONE, Part};
use crate::brute::Skip;
use raveler_core::XmmRules;

/// More reads than this are too many sets of reads.
const MOST_READS: usize = 14;

/// A committed set and the determined events in it.
pub type Commitment = (u64, u64);

/// The smallest committed sets that the rules allow, whatever they are mapped to. `spawns`: does the program create
/// threads?
pub fn smallest(part: &Part, rules: XmmRules, spawns: bool) -> Result<Vec<Commitment>, Skip> {
    match rules {
        XmmRules::Strict => strict(part, spawns),
        _ => by_reads(part, rules),
    }
}

/// Everything a committed set needs by E2, and by E4 where the rules have it.
pub fn closed(part: &Part, mut committed: u64, rules: XmmRules) -> u64 {
    let with_rpo = matches!(rules, XmmRules::Default | XmmRules::NoCausalRestriction);
    loop {
        let before = committed;
        for event in 0..part.len() {
            if committed >> event & 1 == 1 && !matches!(part.key.rf[event], INIT | NONE) {
                committed |= 1 << part.key.rf[event];
            }
            // What a committed lock follows.
            if part.key.follows[event] & committed != 0 {
                committed |= 1 << event;
            }
            if with_rpo && part.rpo[event] & committed != 0 {
                committed |= 1 << event;
            }
        }
        if committed == before {
            return committed;
        }
    }
}

/// What a read reads, or what a lock follows.
fn sources(part: &Part, event: usize) -> impl Iterator<Item = usize> + '_ {
    let read = part.key.rf[event];
    let read = (!matches!(read, INIT | NONE)).then_some(read as usize);
    let followed = (0..part.len()).filter(move |&unlock| part.key.follows[unlock] >> event & 1 == 1);
    read.into_iter().chain(followed)
}

/// Reads of what other threads write, and locks that follow their sections; SUR says nothing of others.
fn external(part: &Part) -> Vec<usize> {
    let far = |&event: &usize| sources(part, event).any(|of| part.threads[of] != part.threads[event]);
    (0..part.len()).filter(far).collect()
}

fn subset(list: &[usize], chosen: u64) -> u64 {
    list.iter().enumerate().map(|(at, &event)| (chosen >> at & 1) << event).sum()
}

/// The least sets that hold some reads, of those that SUR allows.
fn by_reads(part: &Part, rules: XmmRules) -> Result<Vec<Commitment>, Skip> {
    let reads = external(part);
    if reads.len() > MOST_READS {
        return Err(Skip::Candidates);
    }
    let mut found: Vec<u64> = Vec::new();
    let mut choices: Vec<u64> = (0..1 << reads.len()).collect();
    choices.sort_unstable_by_key(|choice: &u64| choice.count_ones());
    for choice in choices {
        let wanted = subset(&reads, choice);
        if found.iter().any(|set| set & subset(&reads, u64::MAX) & !wanted == 0) {
            continue;
        }
        let committed = closed(part, wanted, rules);
        if stable_reads(part, committed) {
            found.push(committed);
        }
    }
    let least = |set: &&u64| !found.iter().any(|other| other != *set && other & !**set == 0);
    Ok(found.iter().filter(least).map(|&set| (set, 0)).collect())
}

/// SUR: the reads that are not committed order threads without a cycle, and events, too.
pub fn stable_reads(part: &Part, committed: u64) -> bool {
    let mut edges = [0u64; 64];
    for read in external(part) {
        let far = |of: &usize| part.threads[*of] != part.threads[read];
        for of in sources(part, read).filter(far).filter(|_| committed >> read & 1 == 0) {
            edges[part.threads[of] as usize] |= 1 << part.threads[read];
        }
    }
    acyclic(&edges) && stable_events(part, committed)
}

/// `po ∪ {(rf(r), r) : r not committed}` has no cycle.
fn stable_events(part: &Part, committed: u64) -> bool {
    let mut edges = [0u64; 64];
    edges[..part.len()].copy_from_slice(&part.po);
    for read in 0..part.len() {
        for of in sources(part, read).filter(|_| committed >> read & 1 == 0) {
            edges[of] |= 1 << read;
        }
    }
    acyclic(&edges)
}

fn acyclic(edges: &[u64; 64]) -> bool {
    let mut alive = (0..64).filter(|&node| edges[node] != 0).fold(0u64, |set, node| set | 1 << node);
    loop {
        let stay = (0..64).filter(|&node| alive >> node & 1 == 1 && edges[node] & alive != 0);
        let next = stay.fold(0, |set, node| set | 1 << node);
        if next == alive {
            return alive == 0;
        }
        alive = next;
    }
}

/// The strict rules. Given the threads that are committed as a whole, and reads besides, the least committed set holds
/// these, all that acquires or releases, and what is read; the least set of determined events holds prefixes of threads up
/// to what acquires or releases, and a committed event right behind such a prefix belongs to it.
fn strict(part: &Part, spawns: bool) -> Result<Vec<Commitment>, Skip> {
    let last = part.threads.iter().copied().max().map_or(0, |thread| thread + 1);
    let mut found: Vec<Commitment> = Vec::new();
    // Without new threads the order of events follows from that of threads, and no read need be committed for it.
    let reads = if spawns { external(part) } else { Vec::new() };
    if reads.len() > MOST_READS {
        return Err(Skip::Candidates);
    }
    for whole in 0..1u64 << last {
        for choice in 0..1u64 << reads.len() {
            let whole_threads = (0..part.len()).filter(|&event| whole >> part.threads[event] & 1 == 1);
            let wanted = whole_threads.fold(subset(&reads, choice), |set, event| set | 1 << event);
            let commitment = strictly_closed(part, wanted);
            if !found.contains(&commitment) && strictly_stable(part, commitment.0) {
                found.push(commitment);
            }
        }
    }
    Ok(found)
}

fn strictly_closed(part: &Part, wanted: u64) -> Commitment {
    let mut determined = part.strong;
    let mut committed = wanted;
    loop {
        let before = (committed, determined);
        for event in 0..part.len() {
            if part.po[event] & determined != 0 {
                determined |= 1 << event;
            }
        }
        for event in 1..part.len() {
            let follows =
                part.threads[event - 1] == part.threads[event] && determined >> (event - 1) & 1 == 1;
            if follows && committed >> event & 1 == 1 {
                determined |= 1 << event;
            }
        }
        committed = closed(part, committed | determined, XmmRules::Strict);
        if (committed, determined) == before {
            return before;
        }
    }
}

/// SUR': views of other threads into threads that have events that are not committed order threads without a cycle.
pub fn strictly_stable(part: &Part, committed: u64) -> bool {
    let mut edges = [0u64; 64];
    let open = (0..part.len())
        .filter(|&event| committed >> event & 1 == 0)
        .fold(0u64, |set, event| set | 1 << part.threads[event]);
    for event in (0..part.len()).filter(|&event| open >> part.threads[event] & 1 == 1) {
        let thread = part.threads[event];
        for seen in 0..part.len() {
            let near = seen == event || part.hb[seen] >> event & 1 == 1;
            if !near {
                continue;
            }
            let mut sources = Vec::new();
            if part.writes >> seen & 1 == 1 {
                sources.push(seen);
            }
            if !matches!(part.key.rf[seen], INIT | NONE) {
                sources.push(part.key.rf[seen] as usize);
            }
            for write in sources.into_iter().filter(|&write| part.threads[write] != thread) {
                edges[part.threads[write] as usize] |= 1 << thread;
            }
        }
    }
    acyclic(&edges) && stable_events(part, committed)
}
