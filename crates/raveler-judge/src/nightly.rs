//! The long campaigns, one after the other: what is too long for every change.
//!
//! docs/status.md names the last run and its figures.

use std::process::{Command, ExitCode};

use raveler_core::{Equivalence, Model};
use raveler_judge::campaign::{Campaign, Extent, Summary, Verdict};
use raveler_judge::program::TestProgram;
use raveler_judge::random::Profile;
use raveler_judge::{brute, compare, print, text};

type Judge = fn(&TestProgram) -> Verdict;

/// A campaign: its name, which profiles, what part of the unit of programs it gets (in percent), and what is asked.
struct Job {
    name: &'static str,
    profiles: &'static [Profile],
    percent: u64,
    judge: Judge,
}

/// Sizes of store buffers.
const ROOMS: [u32; 3] = [0, 1, 2];

const BOTH: [Equivalence; 2] = [Equivalence::ReadsFrom, Equivalence::Coherence];

/// Programs with many sections are many graphs to brute force: what it cannot look at soon is left out.
fn few() -> brute::Limits {
    brute::Limits { candidates: 3_000, combinations: 60_000, ..brute::Limits::default() }
}

const LOCKS: &[Profile] = &[
    Profile::Locks,
    Profile::Sections,
    Profile::ReadLocks,
    Profile::TriedReadLocks,
    Profile::Conditions,
    Profile::Assertions,
    Profile::Detours,
    Profile::MemoryLocks,
];

const JOBS: &[Job] = &[
    Job {
        name: "oracle",
        profiles: &Profile::ALL,
        percent: 100,
        judge: |program| compare::oracle(program, &Model::CAUSAL, &BOTH, brute::Limits::default()),
    },
    Job {
        name: "locks",
        profiles: LOCKS,
        percent: 100,
        judge: |program| compare::locks(program, &Model::CAUSAL, &BOTH, few()),
    },
    Job {
        name: "agree-locks",
        profiles: &[Profile::TryLocks, Profile::Sections, Profile::Conditions, Profile::Detours],
        percent: 15,
        judge: |program| compare::lock_orders(program, &Model::CAUSAL, &BOTH),
    },
    Job {
        name: "machines",
        profiles: &Profile::ALL,
        percent: 15,
        judge: |program| compare::against_machines(program, &Model::CAUSAL),
    },
    Job {
        name: "oracle, bounded buffers",
        profiles: &Profile::ALL,
        percent: 100,
        judge: |program| compare::bounded_oracle(program, &Model::CAUSAL, &BOTH, few(), &ROOMS),
    },
    Job {
        name: "machines, bounded buffers",
        profiles: &Profile::ALL,
        percent: 15,
        judge: |program| compare::bounded_machines(program, &Model::CAUSAL, &ROOMS),
    },
    Job { name: "inclusions", profiles: &Profile::ALL, percent: 10, judge: compare::inclusions },
    Job {
        name: "agree-front-ends",
        profiles: &Profile::ALL,
        percent: 5,
        judge: |program| compare::front_ends(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-workers",
        profiles: &Profile::ALL,
        percent: 5,
        judge: |program| compare::workers(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-parts",
        profiles: &Profile::ALL,
        percent: 5,
        judge: |program| compare::parts(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-random",
        profiles: &Profile::ALL,
        percent: 10,
        judge: |program| compare::random_walks(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-replay",
        profiles: &Profile::ALL,
        percent: 5,
        judge: |program| compare::replays(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-engines",
        profiles: &Profile::ALL,
        percent: 100,
        judge: |program| compare::engines(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-preemptions",
        profiles: &Profile::ALL,
        percent: 10,
        judge: |program| compare::preemptions(program, &Model::CAUSAL),
    },
    Job {
        name: "agree-xmm",
        profiles: &Profile::ALL,
        percent: 100,
        judge: |program| compare::beside_rc20(program, Extent::OneWay),
    },
    Job { name: "waits-xmm", profiles: &Profile::XMM, percent: 10, judge: compare::unrolled_waits },
    Job {
        name: "spins",
        profiles: &[Profile::Wait],
        percent: 10,
        judge: |program| compare::spins(program, &Model::CAUSAL),
    },
];

/// Campaigns of other commands, by name and the words of the command; `N` grows with the unit of programs. As tests are
/// built: optimised, with assertions.
const COMMANDS: &[(&str, &str)] = &[
    (
        "definitions against fast checks",
        "run --features raveler-core/paranoid -p raveler-corpus -- check corpus/litmus/shapes",
    ),
    ("xmm", "run -p raveler-judge -- xmm --rules all --equivalence both --programs N00 --threads 2"),
    (
        "xmm, definitions against fast checks",
        "run --features raveler-core/paranoid -p raveler-judge -- xmm --rules all --equivalence both --programs N",
    ),
    ("xmm, its tables", "run -p raveler-corpus -- xmm"),
    ("xmm, its definition", "run -p raveler-judge -- self-xmm --rules all --programs N --threads 2"),
    ("sequential programs", "run -p raveler-corpus -- sequential --programs N"),
    ("damaged IR", "run -p raveler-corpus -- mutate corpus/c --programs N"),
    ("damaged C", "run -p raveler-corpus -- mutate-c corpus/c --programs N0"),
    ("C corpus, long lines too", "run -p raveler-corpus -- c corpus/c --long"),
    ("C corpus in other ways", "run -p raveler-corpus -- variants corpus/c"),
    ("both engines on the corpus", "run -p raveler-corpus -- engines corpus"),
    ("violations of the corpus again", "run -p raveler-corpus -- replay corpus"),
    ("random C programs", "run -p raveler-judge -- programs --programs N0 --threads 2 --ways 4"),
    (
        "random C++ programs",
        "run -p raveler-judge -- programs --language c++ --programs N0 --threads 2 --ways 2",
    ),
    (
        "reductions in C++",
        "run -p raveler-judge -- agree-reductions --language c++ --profile barriers,meetings --programs N --threads 2 --ways 2",
    ),
    ("reductions", "run -p raveler-judge -- agree-reductions --programs N0 --threads 2 --ways 4"),
    ("mutants", "run -p raveler-judge --features mutants -- mutants --programs N"),
    // Without texts to begin with, the fuzzers would take hours to get past the first words of a file.
    (
        "fuzzing of litmus tests",
        "fuzz run -s none litmus fuzz/corpus/litmus corpus/litmus -- -max_total_time=N -verbosity=0",
    ),
    ("IR to begin with", "run -p raveler-corpus -- ir corpus/c --to fuzz/corpus/ir"),
    ("fuzzing of IR", "fuzz run -s none ir -- -max_len=30000 -max_total_time=N -verbosity=0"),
];

/// The C corpus, which every version of clang that is installed must agree on.
const C_CORPUS: &str = "run -p raveler-corpus -- c corpus/c";

/// The versions of clang that are installed beside the one that is used.
fn clangs() -> Vec<String> {
    let is_there =
        |name: &String| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    (14..40).map(|version| format!("clang-{version}")).filter(is_there).collect()
}

/// Run all of them; `campaign.programs` is the unit: with 100,000 it takes a night on two cores.
pub fn run(campaign: &Campaign) -> ExitCode {
    let mut failed: Vec<&str> = Vec::new();
    for job in JOBS {
        let programs = (campaign.programs * job.percent / 100).max(1);
        let campaign = Campaign { profiles: job.profiles.to_vec(), programs, ..campaign.clone() };
        let summary: Summary = campaign.run(&job.judge);
        println!("{}", summary.line(job.name));
        if let Some((program, difference)) = summary.difference {
            println!("{difference}\n\n{}\n{}", text::print(&program), print::litmus(&program, "difference"));
            failed.push(job.name);
        }
    }
    let number = (campaign.programs / 100).clamp(20, 1000).to_string();
    // What fuzzers find goes into the first folder that they are given.
    let found = std::fs::create_dir_all("fuzz/corpus/litmus");
    found.unwrap_or_else(|error| println!("fuzz/corpus/litmus: {error}"));
    for &(name, words) in COMMANDS {
        let words = words.replace("=N", &format!("={number}")).replace(" N", &format!(" {number}"));
        println!("== {name}: cargo {words}");
        let status = Command::new("cargo").args(words.split_whitespace()).status();
        if !status.is_ok_and(|status| status.success()) {
            failed.push(name);
        }
    }
    for clang in clangs() {
        println!("== C corpus with {clang}: cargo {C_CORPUS}");
        let mut corpus = Command::new("cargo");
        let status = corpus.args(C_CORPUS.split_whitespace()).env("RAVELER_CLANG", &clang).status();
        if !status.is_ok_and(|status| status.success()) {
            failed.push("C corpus with another clang");
        }
    }
    match &failed[..] {
        [] => {
            println!("nightly: all went well");
            ExitCode::SUCCESS
        }
        failed => {
            println!("nightly: not as expected: {}", failed.join(", "));
            ExitCode::FAILURE
        }
    }
}
