//! The search by interleavings on small programs with known numbers of runs and classes.

use std::borrow::Cow;

use raveler_core::observer::Unobserved;
use raveler_core::outcome::StopReason;
use raveler_core::*;

/// What a thread does next.
#[derive(Clone, Copy)]
enum Op {
    Store(u64, Value),
    Load(u64),
    /// End the thread unless the last load gave this value.
    Expect(Value),
}

use Op::{Expect, Load, Store};

/// Threads of relaxed accesses.
struct Threads {
    code: Vec<Vec<Op>>,
    objects: Vec<Object>,
}

fn threads<const N: usize>(code: [&[Op]; N]) -> Threads {
    let object = |i: u64| Object {
        name: format!("x{i}"),
        address: address(i),
        size: 4,
        cell: Width::B4,
        initial: vec![0],
    };
    Threads { code: code.map(<[Op]>::to_vec).to_vec(), objects: (0..8).map(object).collect() }
}

fn address(i: u64) -> Address {
    Address(0x1000 * (i + 1))
}

impl Program for Threads {
    type Cursor = (usize, usize);

    fn threads(&self) -> u32 {
        self.code.len() as u32
    }

    fn start(&self, entry: Entry) -> (usize, usize) {
        let Entry::Initial(thread) = entry else { unreachable!("no thread is spawned") };
        (thread as usize, 0)
    }

    fn step(&self, (thread, at): &mut (usize, usize), answer: Answer) -> Action {
        let (width, order) = (Width::B4, Order::Relaxed);
        let operation = loop {
            let Some(&op) = self.code[*thread].get(*at) else { break Operation::Done };
            *at += 1;
            match op {
                Store(i, value) => break Operation::Write { address: address(i), width, order, value },
                Load(i) => break Operation::Read { address: address(i), width, order },
                Expect(value) if answer.value() == value => {}
                Expect(_) => break Operation::Done,
            }
        };
        Action { site: SiteId::NONE, operation }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Owned(SourceMap::default())
    }
}

/// Runs, runs that were cut, and classes.
fn explored(program: &Threads, model: Model, reduction: bool, bound: Option<u32>) -> (u64, u64, u64) {
    let settings = Settings {
        engine: Engine::Interleaving,
        reduction,
        buffer_bound: bound,
        classes: true,
        ..Settings::new(model)
    };
    let outcome = search(program, &settings, &mut Unobserved);
    assert!(outcome.stopped.is_none() && outcome.violations.is_empty());
    assert_eq!(outcome.verdict() == Verdict::Verified, !outcome.bound_met);
    (outcome.counts.executions, outcome.counts.redundant, outcome.classes.expect("it was asked for"))
}

/// All interleavings, those that are left, and classes.
fn numbers(program: &Threads, model: Model) -> (u64, u64, u64) {
    let (all, _, classes) = explored(program, model, false, None);
    let (left, _, reduced) = explored(program, model, true, None);
    assert_eq!(classes, reduced, "{model:?}");
    (all, left, classes)
}

const BUFFERED: [Model; 2] = [Model::Tso, Model::Pso];

#[test]
fn store_buffering() {
    let program = threads([&[Store(0, 1), Load(1)], &[Store(1, 1), Load(0)]]);
    assert_eq!(numbers(&program, Model::Sc), (6, 3, 3));
    for model in BUFFERED {
        assert_eq!(numbers(&program, model), (24, 4, 4));
        assert!(explored(&program, model, true, None).1 <= 1);
    }
}

#[test]
fn message_passing_with_a_test() {
    let program = threads([&[Store(0, 1), Store(1, 1)], &[Load(1), Expect(1), Load(0)]]);
    assert_eq!(numbers(&program, Model::Sc), (3, 2, 2));
    assert_eq!(numbers(&program, Model::Tso), (3, 2, 2));
    assert_eq!(numbers(&program, Model::Pso), (7, 3, 3));
    assert!(explored(&program, Model::Pso, true, None).1 <= 1);
}

#[test]
fn store_buffering_with_loads_that_the_buffer_serves() {
    let program = threads([&[Store(0, 1), Load(0), Load(1)], &[Store(1, 1), Load(1), Load(0)]]);
    assert_eq!(numbers(&program, Model::Sc), (20, 3, 3));
    for model in BUFFERED {
        assert_eq!(numbers(&program, model), (180, 4, 4));
    }
}

#[test]
fn a_load_behind_stores() {
    let program = threads([&[Load(2)], &[Store(0, 1), Store(1, 1), Load(0)]]);
    let count = |model| {
        let (all, _, classes) = numbers(&program, model);
        (all, classes)
    };
    assert_eq!([Model::Sc, Model::Tso, Model::Pso].map(count), [(4, 1), (12, 1), (24, 1)]);
}

#[test]
fn a_load_that_the_buffer_serves_may_come_after_the_flush() {
    let program = threads([&[Store(0, 1), Load(0)], &[Load(0), Store(0, 2)]]);
    for model in BUFFERED {
        assert_eq!(numbers(&program, model).2, 4);
    }
}

#[test]
fn buffers_with_room_for_some_stores() {
    let program = threads([&[Load(0)], &[Store(1, 1), Store(2, 1), Store(3, 1), Store(4, 1), Load(5)]]);
    for bound in 0..6 {
        let all = explored(&program, Model::Tso, false, Some(bound)).0;
        assert_eq!(all, 6 * (u64::from(bound.min(4)) + 1), "{bound}");
    }
}

#[test]
fn store_buffering_behind_more_stores_needs_room() {
    for k in 0..4 {
        let thread = |mine: u64, other: u64, first: u64| {
            let mut ops = vec![Store(mine, 1)];
            ops.extend((0..k).map(|i| Store(first + i % 3, 1)));
            ops.push(Load(other));
            ops
        };
        let (left, right) = (thread(0, 1, 2), thread(1, 0, 5));
        let program = threads([&left, &right]);
        for bound in 0..=5 {
            let expected = if u64::from(bound) > k { 4 } else { 3 };
            let classes = explored(&program, Model::Tso, true, Some(bound)).2;
            assert_eq!(classes, expected, "{k} stores, room for {bound}");
        }
    }
}

#[test]
fn a_bound_is_met_where_more_stores_could_wait() {
    // Whether the load comes before the flush makes no difference, so only one of the two is tried.
    let code: [&[Op]; 1] = [&[Store(0, 1), Load(1), Store(2, 1), Load(1)]];
    let met = |model, bound| {
        let settings =
            Settings { engine: Engine::Interleaving, buffer_bound: Some(bound), ..Settings::new(model) };
        search(&threads(code), &settings, &mut Unobserved).bound_met
    };
    assert_eq!([0, 1, 2].map(|bound| met(Model::Tso, bound)), [true, true, false]);
    assert_eq!([0, 1, 2].map(|bound| met(Model::Pso, bound)), [true, false, false]);
    assert!(!met(Model::Sc, 0));
}

fn runs(program: &Threads, settings: Settings) -> Outcome {
    search(program, &Settings { engine: Engine::Interleaving, classes: true, ..settings }, &mut Unobserved)
}

#[test]
fn runs_with_few_preemptions() {
    // aabb and bbaa have none; abba and baab one, since the second switch comes at an end; abab and baba two.
    let program = threads([&[Load(0), Load(1)], &[Load(2), Load(3)]]);
    let within = |bound: u32| {
        let bounded = Settings { preemption_bound: Some(bound), ..Settings::new(Model::Sc) };
        let outcome = runs(&program, Settings { reduction: false, ..bounded.clone() });
        assert_eq!(outcome.stopped, Some(StopReason::Preemptions));
        assert_eq!((outcome.preemptions, outcome.verdict()), (Some(bound), Verdict::Inconclusive));
        let reduced = runs(&program, bounded);
        assert_eq!((reduced.classes, reduced.preemptions), (outcome.classes, Some(bound)));
        assert!(reduced.counts.executions <= outcome.counts.executions);
        outcome.counts.executions
    };
    assert_eq!([0, 1, 2, 3].map(within), [2, 4, 6, 6]);
}

#[test]
fn flushes_are_no_preemptions() {
    // Both loads may come before both flushes, though no thread is left before its end.
    let program = threads([&[Store(0, 1), Load(1)], &[Store(1, 1), Load(0)]]);
    let classes = |model| {
        let settings = Settings { preemption_bound: Some(0), ..Settings::new(model) };
        runs(&program, settings).classes
    };
    assert_eq!([Model::Sc, Model::Tso, Model::Pso].map(classes), [Some(2), Some(4), Some(4)]);
}

#[test]
fn walks_come_to_all_classes_and_are_never_verified() {
    let program = threads([&[Store(0, 1), Load(1)], &[Store(1, 1), Load(0)]]);
    for (depth, workers) in [(None, 1), (None, 2), (Some(2), 1), (Some(2), 2)] {
        let random = Some(RandomWalks { seed: 5, walks: 600, depth });
        let outcome = runs(&program, Settings { random, workers, ..Settings::new(Model::Tso) });
        assert_eq!((outcome.walks, outcome.counts.executions), (600, 600));
        assert_eq!(
            (outcome.stopped.as_ref(), outcome.verdict()),
            (Some(&StopReason::Walks), Verdict::Inconclusive)
        );
        let found = outcome.priorities.map(|found| (found.processes, found.steps));
        assert_eq!(found, depth.map(|_| (4, 4)));
    }
}

#[test]
fn workers_make_the_same_runs() {
    let program = threads([
        &[Store(0, 1), Load(0), Load(1), Load(2)],
        &[Store(1, 1), Load(1), Load(2), Load(0)],
        &[Store(2, 1), Load(2), Load(0)],
    ]);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let count = |workers: usize| {
            let outcome = runs(&program, Settings { workers, ..Settings::new(model) });
            (outcome.counts.executions, outcome.classes, outcome.verdict())
        };
        let one = count(1);
        for workers in [2, 3, 4] {
            assert_eq!(count(workers), one, "{model:?}, {workers} workers");
        }
    }
}
