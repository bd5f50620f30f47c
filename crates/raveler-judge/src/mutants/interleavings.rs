//! Mistakes in the search by interleavings: programs on which both engines must agree, known ones and random ones.

use super::hunt::{Kill, aside};
use crate::campaign::{Campaign, Verdict, guarded};
use crate::compare::{engines, preemptions, random_walks};
use crate::program::TestProgram;
use crate::random;
use raveler_core::Model;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Programs that show a mistake each.
const PROGRAMS: &[(&str, &str)] = &[
    // The load is served by the buffer, but may also come after the other store reached memory.
    (
        "served-by-the-buffer",
        "locations x=0
         thread 0
           store x 1 relaxed
           r0 = load x relaxed
         thread 1
           r0 = load x relaxed
           store x 2 relaxed",
    ),
    (
        "store-buffering",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
           r0 = load x relaxed
           r1 = load y relaxed
         thread 1
           store y 1 relaxed
           r0 = load y relaxed
           r1 = load x relaxed",
    ),
    (
        "two-writers-two-readers",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
         thread 1
           store x 2 relaxed
         thread 2
           r0 = load x relaxed
           r1 = load x relaxed",
    ),
    // Without a change of priorities the load comes before both stores, or after both.
    (
        "load-between-stores",
        "locations x=0
         thread 0
           store x 1 relaxed
           store x 2 relaxed
         thread 1
           r0 = load x relaxed",
    ),
    // One preemption: of the second thread, between its loads. The first thread's load may have come before, or after.
    (
        "thread-at-work",
        "locations x=0 y=0
         thread 0
           r0 = load y relaxed
           store x 1 relaxed
         thread 1
           r0 = load x relaxed
           r1 = load x relaxed",
    ),
    (
        "message-passing",
        "locations x=0 y=0
         thread 0
           store x 1 relaxed
           store y 1 release
         thread 1
           r0 = load y relaxed
           r1 = load x relaxed",
    ),
    // The lock is never given back: its other thread must come first, twice, and then the store before the load.
    (
        "kept-lock",
        "locations x=0
         locks 1
         thread 0
           lock 0
         thread 1
           r0 = load x relaxed
         thread 2
           lock 0
           unlock 0
           lock 0
           unlock 0
           store x 1 relaxed",
    ),
    // The store is the mistake, or the free.
    (
        "freed-beside-a-store",
        "locations x=0
         object o0 1 zeroed
         thread 0
           alloc o0
           spawn 1
           r0 = load x relaxed
           free o0
         thread 1
           store o0 1 relaxed",
    ),
];

/// The first program on which the engines differ, known ones first, then those of the campaigns.
pub fn difference(campaigns: &[Campaign]) -> Option<Kill> {
    let known = PROGRAMS.iter().map(|&(name, text)| {
        let program = crate::text::parse(text).expect("known programs can be read");
        (name.to_string(), program)
    });
    let random = campaigns.iter().flat_map(|campaign| {
        (0..campaign.programs).map(|number| {
            let (profile, seed) = campaign.source(number);
            (format!("{} {seed}", profile.name()), random::program(profile, seed))
        })
    });
    (1..).zip(known.chain(random)).find_map(|(programs, (name, program))| {
        let judged = program.clone();
        let judge = |program: &TestProgram| {
            let judges: [&dyn Fn() -> Verdict; 3] =
                [&|| engines(program, &MODELS), &|| preemptions(program, &MODELS), &|| {
                    random_walks(program, &MODELS)
                }];
            let verdicts = judges.iter().map(|judge| judge());
            verdicts.reduce(|a, b| if a.difference.is_some() { a } else { b }).unwrap_or_default()
        };
        let difference = aside(move || guarded(&judge, &judged).difference)?;
        Some(Kill { programs, name, program, difference })
    })
}
