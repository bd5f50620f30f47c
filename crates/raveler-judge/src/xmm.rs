//! The memory model XMM by its definition: every consistent graph of a small program, `po ∪ rf` cyclic or not, then the
//! least set of graphs that executing and re-executing reach.
//!
//! A graph G may be re-executed as G' if there is a set C of events of G' (the *committed* ones) and a map f from C into
//! G with
//! - E1 f is injective and keeps threads and labels,
//! - E2 what a committed read reads is committed (or initial), and so is what a committed lock follows,
//! - E3 f keeps and reflects `rf`, `mo` and `rpo`, and keeps `rmw`; what a committed lock follows is mapped to all that its
//!   image follows,
//! - E4 what is `rpo`-before a committed event is committed,
//! - E5 where `porf` leads from one committed event to another in G', `(po ∪ rf ∪ race)⁺` does in G,
//! - SUR reads that are not committed can be ordered: the graph of threads that they make has no cycle, and neither has
//!   `po` with their `rf`. Uncommitted locks count like reads of all that they follow.
//!
//! Where readers can share locks, no lock is a place of memory: to lock *follows* the ends of sections, of the last exclusive
//! one before and, exclusively, of all shared ones since. That belongs to `porf` and to `hb`.
//!
//! An update is two events here, which may be committed apart. What is left out of the search, and why nothing is lost:
//! - *Prefixes.* What holds of (G', C, f) holds of every part of G' that is closed under `po ∪ rf` backwards. So the graphs
//!   reached are closed under such parts, and a graph is reached if and only if its *core*, what leads into a
//!   cycle, is the empty graph or a re-execution: the rest comes by executing.
//! - *Sources.* A graph that can be executed further is as good a source after that as before: `rf`, `mo`, `rpo`, `rmw` and
//!   `hb` among its events stay. Every graph can be executed until all threads have ended or are stuck, since a read
//!   may always see the `mo`-last write. So only such [`Leaf`]s are sources.
//! - *Committed sets.* If C fulfils E1 to E5 with f then so does every smaller set that E2 and E4 close. So only the
//!   smallest sets that SUR allows are tried, found among all sets of reads (module `commit`).
//! - *Values.* What a graph writes comes from a constant through as many reads as it has at most, or from a value that is
//!   committed, so one of a graph reached before. With values that may pass through twice as many reads, nothing more
//!   must be reached; else values may grow without end (`a = X; b = X; Y = b || c = Y; X = c + 1; X = c` reaches every
//!   value), and the program is left out.
//!
//! One thing is left out that can make a difference: an update is executed as a whole. If threads can stop between its
//! halves, both of two updates may read the same write in a partial graph, which is no part of a leaf. [`judge_with`] takes
//! these as sources, too.
//!
//! [`literal`] does without the first three, for programs of a few events.

mod closure;
mod commit;
mod compare;
mod embed;
mod graphs;
pub mod literal;
mod parts;
mod relations;

pub use compare::{Notes, against_engine, against_itself};

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::graphs::{Follows, Ways};
use crate::brute::Skip;
use crate::engine::Seen;
use crate::graph::{Coherence, Graph};
use crate::program::{Stmt, TestProgram};
use raveler_core::{Equivalence, XmmRules};

/// How much work a program may cost before it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs of one thread.
    pub traces: usize,
    /// Combinations of runs looked at.
    pub combinations: u64,
    /// Graphs looked at: choices of writes for all reads, times coherence orders.
    pub candidates: u64,
    /// Consistent graphs.
    pub graphs: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { traces: 400, combinations: 100_000, candidates: 12_000, graphs: 3_000 }
    }
}

/// A consistent graph in which every thread has ended or is stuck.
pub struct Leaf {
    /// Events and reads-from.
    pub graph: Rc<Graph>,
    /// The order of the writes of each place.
    pub coherence: Coherence,
    /// What locks follow that are no places of memory.
    pub follows: Follows,
    /// Did every thread end?
    pub complete: bool,
    /// Has it a load-buffering race: of a read and a write to which `porf` leads, one of them relaxed?
    pub lb_race: bool,
    /// The same if neither need be relaxed.
    pub any_lb_race: bool,
    /// Is `po ∪ rf` acyclic?
    pub acyclic: bool,
    /// The rule sets that reach it, one bit each in the order of [`XmmRules::ALL`].
    pub rules: u8,
}

/// What there is to know of a program under XMM.
pub struct Judged {
    /// All consistent graphs that cannot be executed further.
    pub leaves: Vec<Leaf>,
}

impl Judged {
    /// The complete executions.
    pub fn executions(&self, rules: XmmRules, equivalence: Equivalence) -> FxHashSet<Seen> {
        self.set(equivalence, |leaf| leaf.rules >> bit(rules) & 1 == 1)
    }

    /// The complete executions, each with the number of orders of its sections, where no place of memory shows the order.
    pub fn in_each_order(&self, rules: XmmRules, equivalence: Equivalence) -> FxHashMap<Seen, u32> {
        let with = equivalence == Equivalence::Coherence;
        let seen = |leaf: &Leaf| ((*leaf.graph).clone(), with.then(|| leaf.coherence.clone()));
        let reached = self.leaves.iter().filter(|leaf| leaf.complete && leaf.rules >> bit(rules) & 1 == 1);
        let each: FxHashSet<(Seen, Follows)> =
            reached.map(|leaf| (seen(leaf), leaf.follows.clone())).collect();
        let mut counts = FxHashMap::default();
        each.into_iter().for_each(|(seen, _)| *counts.entry(seen).or_default() += 1);
        counts
    }

    /// The complete executions without cycles: those of RC20.
    pub fn acyclic(&self, equivalence: Equivalence) -> FxHashSet<Seen> {
        self.set(equivalence, |leaf| leaf.acyclic)
    }

    /// Has some execution of RC20, complete or blocked, a load-buffering race?
    pub fn lb_race(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.acyclic && leaf.lb_race)
    }

    /// The same if a race of two accesses that are not relaxed counts, too, as it does for E5.
    pub fn any_lb_race(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.acyclic && leaf.any_lb_race)
    }

    fn set(&self, equivalence: Equivalence, test: impl Fn(&Leaf) -> bool) -> FxHashSet<Seen> {
        let with = equivalence == Equivalence::Coherence;
        let seen = |leaf: &Leaf| ((*leaf.graph).clone(), with.then(|| leaf.coherence.clone()));
        self.leaves.iter().filter(|leaf| leaf.complete && test(leaf)).map(seen).collect()
    }
}

fn bit(rules: XmmRules) -> usize {
    XmmRules::ALL.iter().position(|known| *known == rules).expect("all rule sets are listed")
}

/// Can these judges look at the program?
pub fn is_expressible(program: &TestProgram) -> bool {
    let odd = |stmt: &Stmt| {
        matches!(
            stmt,
            Stmt::WeakCas { .. }
                | Stmt::Choose { .. }
                | Stmt::Assert(_)
                | Stmt::TryLock { .. }
                | Stmt::Await { .. }
                | Stmt::Notify { .. }
                | Stmt::Alloc(_)
                | Stmt::Free(_)
        )
    };
    !program.has_objects() && !program.any(odd)
}

/// Finds every execution of a program under these rule sets.
pub fn judge(program: &TestProgram, rules: &[XmmRules], limits: Limits) -> Result<Judged, Skip> {
    judge_with(program, rules, limits, false)
}

/// The same; `halves`: graphs in which a thread stands between the halves of an update, and cannot go on since another
/// update reads the same, are sources, too. Under the default rules no program is known where that makes a difference.
pub fn judge_with(
    program: &TestProgram,
    rules: &[XmmRules],
    limits: Limits,
    halves: bool,
) -> Result<Judged, Skip> {
    let ways = Ways { halves, ..Ways::default() };
    let (judged, closed) = judge_values(program, rules, limits, ways)?;
    if !closed {
        let (more, _) = judge_values(program, rules, limits, Ways { twice: true, ..ways })?;
        let reached = |judged: &Judged| -> FxHashSet<(Rc<Graph>, Coherence, Follows, u8)> {
            let leaves = judged.leaves.iter().filter(|leaf| leaf.rules != 0);
            let leaf =
                |leaf: &Leaf| (leaf.graph.clone(), leaf.coherence.clone(), leaf.follows.clone(), leaf.rules);
            leaves.map(leaf).collect()
        };
        if reached(&judged) != reached(&more) {
            return Err(Skip::Values);
        }
    }
    Ok(judged)
}

/// What is reached with some values, and whether there are no others.
fn judge_values(
    program: &TestProgram,
    rules: &[XmmRules],
    limits: Limits,
    ways: Ways,
) -> Result<(Judged, bool), Skip> {
    let mut found = graphs::graphs(program, limits, ways)?;
    let spawns = program.any(|stmt| matches!(stmt, Stmt::Spawn(_)));
    let mut reached = vec![0; found.leaves.len()];
    for &rules in rules {
        let members = closure::members(&found, rules, spawns)?;
        for (all, member) in reached.iter_mut().zip(members) {
            *all |= u8::from(member) << bit(rules);
        }
    }
    let leaf = |(leaf, rules): (graphs::Found, u8)| Leaf {
        complete: leaf.graph.complete(),
        graph: leaf.graph,
        lb_race: leaf.lb_race,
        any_lb_race: leaf.any_lb_race,
        acyclic: leaf.core.is_none(),
        coherence: leaf.coherence,
        follows: leaf.follows,
        rules,
    };
    let leaves = std::mem::take(&mut found.leaves).into_iter().zip(reached).map(leaf).collect();
    Ok((Judged { leaves }, found.closed))
}
