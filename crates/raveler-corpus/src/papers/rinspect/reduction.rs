//! Its Figs. 7 and 8: runs and time with the reduction and without it, of our C programs.

use std::io;
use std::time::Duration;

use raveler_core::{Model, Settings};

use super::litmus::{interleaving, programs};
use crate::bench::clock::timed;
use crate::c::search_within;
use crate::papers::table::{grouped, show_seconds};

/// What was counted of one program under one model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// Runs without the reduction: complete ones, blocked ones, those that failed.
    pub all: u64,
    /// And with it.
    pub reduced: u64,
    /// Seconds.
    pub seconds: [f64; 2],
}

/// One line: a program under both models; none where all interleavings take too long.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// File and flags.
    pub program: String,
    /// Under TSO and PSO.
    pub pairs: [Option<Pair>; 2],
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Programs that end without the reduction and have something to reduce.
    pub lines: Vec<Line>,
    /// Programs that have as many runs with it.
    pub equal: usize,
    /// Programs that do not end in time without it.
    pub too_long: usize,
    /// Programs that the engine refuses.
    pub refused: usize,
}

/// Measure the programs of `corpus/c`, each file with the flags of its first line.
pub fn measure(limit: Duration, seen: &mut dyn FnMut(&Line)) -> io::Result<Measured> {
    let mut measured = Measured::default();
    for (name, program, settings) in programs(true)? {
        let mut was_refused = false;
        let pairs = [Model::Tso, Model::Pso].map(|model| {
            let settings = Settings { model, races: false, all: true, ..interleaving(&settings) };
            let search = |reduction| {
                let settings = Settings { reduction, ..settings.clone() };
                let fresh = program.fresh();
                fresh.prepare(&settings);
                let (outcome, time) = timed(|| search_within(&fresh, &settings, Some(limit)).0);
                was_refused |=
                    matches!(outcome.stopped, Some(raveler_core::outcome::StopReason::Unsupported { .. }));
                let counts = outcome.counts;
                let runs = counts.executions + counts.blocked + counts.failed;
                outcome.stopped.is_none().then_some((runs, time.cpu.as_secs_f64()))
            };
            let mut search = search;
            let (all, long) = search(false)?;
            let (reduced, short) = search(true)?;
            Some(Pair { all, reduced, seconds: [long, short] })
        });
        let line = Line { program: name, pairs };
        match line.pairs {
            _ if was_refused => measured.refused += 1,
            [None, None] => measured.too_long += 1,
            pairs if pairs.iter().flatten().all(|pair| pair.all == pair.reduced) => measured.equal += 1,
            _ => {
                seen(&line);
                measured.lines.push(line);
            }
        }
    }
    Ok(measured)
}

/// The lines for the page.
pub fn show(measured: &Measured, limit: Duration) -> String {
    let mut text = "| program | tso: all runs | reduced | s, all | s, reduced | pso: all runs | reduced | s, all | s, reduced |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for Line { program, pairs } in &measured.lines {
        let cells: Vec<String> = pairs
            .iter()
            .map(|pair| match pair {
                Some(Pair { all, reduced, seconds: [long, short] }) => {
                    let [all, reduced] = [all, reduced].map(|runs| grouped(*runs));
                    format!("{all} | {reduced} | {} | {}", show_seconds(*long), show_seconds(*short))
                }
                None => format!("not in {} s | | |", limit.as_secs()),
            })
            .collect();
        text += &format!("| {program} | {} |\n", cells.join(" | "));
    }
    let Measured { lines, equal, too_long, refused } = measured;
    text += &format!(
        "\n{} programs; {equal} others have as many runs with the reduction as without it, {too_long} do not end without it \
         in {} s under either model, {refused} are refused.\n",
        lines.len(),
        limit.as_secs()
    );
    text
}
