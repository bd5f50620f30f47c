//! The programs to measure, what they must count, and how fast GenMC 0.11 does the same.
//!
//! The figures are executions per CPU second without start-up, single thread, on a loaded 2-core 2.6 GHz server CPU
//! (benches/README.md, "The figures of GenMC"); GenMC counts executions with their coherence order, so the comparison
//! is with `co`.

use raveler_core::Model;

/// One program to measure.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// The family.
    pub program: &'static str,
    /// Its size.
    pub parameters: &'static str,
    /// The memory model.
    pub model: Model,
    /// Executions by what is read.
    pub rf: u64,
    /// Executions with their coherence order, if they can be enumerated.
    pub co: Option<u64>,
    /// GenMC's executions per CPU second.
    pub genmc: Option<u64>,
}

const fn of(
    (program, parameters): (&'static str, &'static str),
    model: Model,
    (rf, co): (u64, u64),
    genmc: u64,
) -> Benchmark {
    Benchmark { program, parameters, model, rf, co: Some(co), genmc: Some(genmc) }
}

const fn only_rf((program, parameters): (&'static str, &'static str), model: Model, rf: u64) -> Benchmark {
    Benchmark { program, parameters, model, rf, co: None, genmc: None }
}

/// All of them. GenMC's `--rc11` has C++20's release sequences, so its figures are compared with rc20.
pub const BENCHMARKS: &[Benchmark] = &[
    of(("ainc", "N=8"), Model::Rc20, (40_320, 40_320), 42_000),
    of(("casrot", "N=10"), Model::Rc20, (38_486, 38_486), 296_000),
    of(("casw", "N=5"), Model::Rc20, (2_160, 32_880), 274_000),
    of(("readers", "N=16"), Model::Rc20, (65_536, 65_536), 172_000),
    of(("cinc", "N=4"), Model::Rc20, (13_824, 13_824), 42_000),
    of(("fib", "NUM=5"), Model::Rc20, (525_630, 525_630), 209_000),
    of(("fib", "NUM=5"), Model::Sc, (218_243, 218_243), 177_000),
    of(("fib", "NUM=5"), Model::Ra, (525_630, 525_630), 202_000),
    of(("fib", "NUM=5"), Model::Tso, (525_630, 525_630), 195_000),
    of(("peterson", "R=2 LB=6"), Model::Ra, (437_569, 609_560), 51_000),
    of(("barrier", "threads=4 LB=10"), Model::Ra, (31_944, 31_944), 97_000),
    of(("mpmc_queue_bnd", "rdwr=2 LB=5"), Model::Rc20, (15_752, 15_752), 25_400),
    of(("treiber", "N=3 failed tries count"), Model::Rc20, (68_892, 68_892), 33_300),
    of(("lockinc", "N=8"), Model::Rc20, (40_320, 40_320), 20_500),
    of(("ticketlock", "N=7"), Model::Rc20, (5_040, 5_040), 9_500),
    of(("sigma", "N=7"), Model::Rc20, (5_040, 135_135), 208_000),
    of(("indexer", "N=14"), Model::Rc20, (512, 512), 650),
    of(("exponential_bug", "N=6"), Model::Ra, (15_604, 1_203_446), 251_000),
    only_rf(("control_flow", "N=12"), Model::Sc, 4_121),
    only_rf(("redundant_co", "N=20"), Model::Sc, 1_261),
    only_rf(("rw", "N=7"), Model::Sc, 262_144),
];
