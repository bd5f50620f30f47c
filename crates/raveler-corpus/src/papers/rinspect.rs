//! Paper 002, rInspect (Zhang, Kusano, Wang, PLDI 2015): store buffers, their reduction and their bound.
//!
//! Its programs are not given but for a few figures; so its tables are made of ours (`litmus`, `reduction`), and the
//! plot of its Fig. 9 of a program that was written for it (`plot`).

pub mod litmus;
pub mod plot;
pub mod reduction;

use super::row::Subject::{C, Litmus};
use super::row::{Measure, Row, same};
use super::table::Table;

/// The tables that consist of lines.
pub fn tables() -> Vec<Table> {
    vec![
        Table::new("002-figures", figures()),
        Table::new("002-dijkstra", dijkstra()),
        Table::new("002-dijkstra-runs", dijkstra_runs()),
    ]
}

const SB: &str = "shapes/SB+rlx";
const FORWARDED: &str = "buffers/SB+forwarded";
const FIG_2: &str = "buffers/rInspect-fig2";
const FIG_3: &str = "buffers/rInspect-fig3";
const FIG_6: &str = "buffers/rInspect-fig6";

fn interleavings(program: &str, file: &'static str, model: &str, count: u64) -> Row {
    let options = format!("{model} --engine interleaving --reductions none");
    same(program, Litmus(file), &options, count).not_printed()
}

fn runs(program: &str, file: &'static str, model: &str, count: u64) -> Row {
    same(program, Litmus(file), &format!("{model} --engine interleaving"), count).not_printed()
}

fn classes(program: &str, file: &'static str, model: &str, count: u64) -> Row {
    runs(program, file, model, count).counts(Measure::Classes)
}

/// The programs of its figures: all interleavings, runs after the reduction, classes.
fn figures() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut three = |program: &str, file, model: &str, counts: [u64; 3]| {
        rows.push(interleavings(program, file, model, counts[0]));
        rows.push(runs(program, file, model, counts[1]));
        rows.push(classes(program, file, model, counts[2]));
    };
    three("SB", SB, "--model sc", [6, 3, 3]);
    three("SB", SB, "--model tso", [24, 4, 4]);
    three("SB", SB, "--model pso", [24, 4, 4]);
    three("Fig. 2", FIG_2, "--model sc", [3, 2, 2]);
    three("Fig. 2", FIG_2, "--model tso", [3, 2, 2]);
    three("Fig. 2", FIG_2, "--model pso", [7, 3, 3]);
    three("SB with forwarding", FORWARDED, "--model sc", [20, 3, 3]);
    three("SB with forwarding", FORWARDED, "--model tso", [180, 4, 4]);
    three("SB with forwarding", FORWARDED, "--model pso", [180, 4, 4]);
    // With a bound, which nothing meets here, locations of one thread are memory, too.
    let fig_3 = [("tso --buffer-bound 0", 4), ("tso --buffer-bound 2", 12), ("pso --buffer-bound 2", 24)];
    for (model, count) in fig_3 {
        let model = &format!("--model {model}");
        rows.push(interleavings("Fig. 3", FIG_3, model, count));
        rows.push(runs("Fig. 3", FIG_3, model, 1));
        rows.push(classes("Fig. 3", FIG_3, model, 1));
    }
    for bound in 0..=5u64 {
        let model = format!("--model tso --buffer-bound {bound}");
        rows.push(interleavings("Fig. 6", FIG_6, &model, 6 * (bound.min(4) + 1)));
    }
    // Of Fig. 2 its text counts interleavings in one place and executions in another.
    for row in rows.iter_mut().filter(|row| row.program == "Fig. 2" && row.measure == Measure::Executions) {
        let (is_pso, is_reduced) = (row.options.contains("pso"), !row.options.contains("none"));
        if is_pso == is_reduced {
            row.paper = row.ours;
            let what = if is_pso { "executions after the reduction" } else { "interleavings" };
            row.remark = format!("its text counts {what} here");
        }
    }
    rows
}

/// The bounds of Fig. 9, and how they are said on the command line; none: as many stores as come.
pub const BOUNDS: [(&str, &str); 5] = [
    ("0", " --buffer-bound 0"),
    ("1", " --buffer-bound 1"),
    ("2", " --buffer-bound 2"),
    ("3", " --buffer-bound 3"),
    ("∞", ""),
];

/// The classes of Dijkstra's algorithm for K = 0, 1, 2, 3 and no bound, by rounds, under TSO. None: not counted.
pub const CLASSES: [[Option<u64>; 5]; 3] = [
    [Some(39), Some(68), Some(71), Some(71), Some(71)],
    [Some(3509), Some(10_227), Some(12_423), Some(13_338), Some(14_352)],
    [Some(366_528), Some(1_798_253), Some(2_638_231), Some(3_143_281), Some(3_888_100)],
];

/// The runs of the interleaving engine, in the same way.
pub const RUNS: [[Option<u64>; 5]; 2] = [
    [Some(39), Some(103), Some(111), Some(111), Some(111)],
    [Some(3509), Some(21_107), Some(28_510), Some(32_529), Some(39_935)],
];

/// Under PSO, where the bound is one of each location's buffer.
const PSO_CLASSES: [[Option<u64>; 5]; 2] =
    [[Some(39), Some(110), Some(116), Some(116), Some(116)], [Some(3509), None, None, None, Some(68_736)]];

const ROUNDS: [&str; 3] = ["-DR=1", "-DR=2", "-DR=3"];

fn by_rounds(counts: &[[Option<u64>; 5]], model: &str, long_from: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (round, (counts, flags)) in counts.iter().zip(ROUNDS).enumerate() {
        for (count, (name, bound)) in counts.iter().zip(BOUNDS) {
            let Some(count) = *count else { continue };
            let options = format!("--model {model}{bound}");
            let program = format!("Dijkstra, R = {}, K = {name}", round + 1);
            let row = same(program, C("families/dijkstra", flags), &options, count).not_printed();
            rows.push(if count > long_from { row.long() } else { row });
        }
    }
    rows
}

fn dijkstra() -> Vec<Row> {
    [by_rounds(&CLASSES, "tso", 20_000), by_rounds(&PSO_CLASSES, "pso", 20_000)].concat()
}

fn dijkstra_runs() -> Vec<Row> {
    let mut rows = by_rounds(&RUNS, "tso", 20_000);
    for row in &mut rows {
        row.options += " --engine interleaving";
    }
    rows
}
