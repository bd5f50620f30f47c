//! The least set of graphs that is closed under executing and re-executing.

use rustc_hash::FxHashMap;

use super::commit;
use super::embed::Pattern;
use super::graphs::Graphs;
use crate::brute::Skip;
use raveler_core::XmmRules;

/// For each leaf: is it reached?
pub fn members(graphs: &Graphs, rules: XmmRules, spawns: bool) -> Result<Vec<bool>, Skip> {
    let mut patterns = Patterns::default();
    let mut waiting = Vec::new();
    for (core, part) in graphs.cores.iter().enumerate() {
        let sets = commit::smallest(part, rules, spawns)?;
        let pattern = |(committed, determined)| Pattern::new(part, committed, determined, rules);
        waiting.push((core, sets.into_iter().map(|set| patterns.number(pattern(set))).collect::<Vec<_>>()));
    }
    let mut leaves_of = vec![Vec::new(); graphs.cores.len()];
    let mut sources = Vec::new();
    for (leaf, found) in graphs.leaves.iter().enumerate() {
        match found.core {
            Some(core) => leaves_of[core].push(leaf),
            None => sources.push(leaf),
        }
    }
    loop {
        let mut reached = Vec::new();
        waiting.retain(|(core, fitting)| {
            let fits = fitting.iter().any(|&pattern| patterns.fits(pattern, graphs, &sources));
            if fits {
                reached.push(*core);
            }
            !fits
        });
        if reached.is_empty() {
            break;
        }
        sources.extend(reached.into_iter().flat_map(|core| &leaves_of[core]));
    }
    let mut members = vec![false; graphs.leaves.len()];
    sources.into_iter().for_each(|leaf| members[leaf] = true);
    Ok(members)
}

/// All patterns, each once, with how many graphs each was tried on and whether it fitted.
#[derive(Default)]
struct Patterns {
    numbers: FxHashMap<Pattern, usize>,
    list: Vec<(Pattern, usize, bool)>,
}

impl Patterns {
    fn number(&mut self, pattern: Pattern) -> usize {
        *self.numbers.entry(pattern).or_insert_with_key(|pattern| {
            self.list.push((pattern.clone(), 0, false));
            self.list.len() - 1
        })
    }

    fn fits(&mut self, pattern: usize, graphs: &Graphs, sources: &[usize]) -> bool {
        let (pattern, tried, fits) = &mut self.list[pattern];
        while !*fits && *tried < sources.len() {
            *fits = pattern.fits(&graphs.leaves[sources[*tried]].part);
            *tried += 1;
        }
        *fits
    }
}
