//! The definitions and the fast checks must agree: asked at every step of a search in tests, and with the feature
//! `paranoid` in any search.
//!
//! Where the graph keeps no coherence order, every order of the writes is tried on the definition, so only small
//! graphs are asked about.

use crate::graph::Graph;
use crate::id::EventId;
use crate::models::{self, Base};
use crate::settings::Settings;

/// Graphs with more orders of writes than this are passed over.
const PATIENCE: usize = 2_000;

/// Panics if the definition says something else than the fast check did.
pub(crate) fn check(settings: &Settings, graph: &Graph, coherence: bool, fast: bool) {
    let model = settings.model;
    let slow = if coherence {
        let base = Base::new(graph, settings.buffer_bound, |a, b| {
            graph.event(a).write_index < graph.event(b).write_index
        });
        (model.definition().formula)(&base)
    } else {
        let orders = graph
            .accesses
            .iter()
            .fold(1, |orders: usize, place| orders.saturating_mul(factorial(place.writes.len())));
        if orders > PATIENCE {
            return;
        }
        any_order(settings, graph)
    };
    assert_eq!(slow.is_ok(), fast, "{model:?}: the definition says {slow:?} of {:#?}", describe(graph));
}

fn factorial(n: usize) -> usize {
    if n > 7 { usize::MAX } else { (1..=n).product() }
}

fn any_order(settings: &Settings, graph: &Graph) -> Result<(), models::Axiom> {
    let mut ranks: Vec<Vec<u32>> =
        graph.accesses.iter().map(|place| (0..place.writes.len() as u32).collect()).collect();
    loop {
        let base = Base::new(graph, settings.buffer_bound, |a, b| {
            let (a, b) = (graph.event(a), graph.event(b));
            let rank = &ranks[a.loc as usize];
            rank[a.write_index as usize - 1] < rank[b.write_index as usize - 1]
        });
        let result = (settings.model.definition().formula)(&base);
        if result.is_ok() || !ranks.iter_mut().any(|rank| next_permutation(rank)) {
            return result;
        }
    }
}

/// The next order of these numbers; false, and the first one, after the last.
fn next_permutation(numbers: &mut [u32]) -> bool {
    let Some(at) = (1..numbers.len()).rev().find(|&i| numbers[i - 1] < numbers[i]) else {
        numbers.reverse();
        return false;
    };
    let swap =
        (at..numbers.len()).rev().find(|&i| numbers[i] > numbers[at - 1]).expect("the one at `at` is larger");
    numbers.swap(at - 1, swap);
    numbers[at..].reverse();
    true
}

fn describe(graph: &Graph) -> Vec<String> {
    let line = |&id: &EventId| {
        let event = graph.event(id);
        format!(
            "{id:?} {:?} {:?} {:?} x{} reads {:?}",
            event.kind, event.order, event.tag, event.loc as i32, event.rf
        )
    };
    graph.order.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeSet;

    use crate::execution::Execution;
    use crate::graph::{EventTag, Kind};
    use crate::id::{Address, SiteId};
    use crate::models::Model;
    use crate::observer::{Flow, Fork, Observer, Unobserved};
    use crate::program::action::{Action, Answer, Operation, Order, UpdateOp, Value, Width};
    use crate::program::{Entry, Object, Program, SourceMap};
    use crate::search::search;
    use crate::settings::{Equivalence, Reductions, Settings};

    /// Straight-line threads of random operations.
    struct Random {
        threads: Vec<Vec<Operation>>,
        objects: Vec<Object>,
        sources: SourceMap,
    }

    /// Random numbers, each below what is asked for.
    fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move |bound| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % bound
        }
    }

    impl Random {
        fn new(seed: u64) -> Random {
            let mut below = numbers(seed);
            let threads = 2 + below(2);
            let locations = 1 + below(2);
            let strong = below(3) == 0;
            let mut bodies = Vec::new();
            for _ in 0..threads {
                let length = 1 + below(if threads == 2 { 4 } else { 3 });
                bodies.push((0..length).map(|_| operation(&mut below, locations, strong)).collect());
            }
            let objects = (0..locations)
                .map(|i| Object {
                    name: format!("x{i}"),
                    address: at(i),
                    size: 4,
                    cell: Width::B4,
                    initial: vec![0],
                })
                .collect();
            Random { threads: bodies, objects, sources: SourceMap::default() }
        }
    }

    fn at(i: u64) -> Address {
        Address(0x1000 * (i + 1))
    }

    fn operation(below: &mut impl FnMut(u64) -> u64, locations: u64, strong: bool) -> Operation {
        let (address, width) = (at(below(locations)), Width::B4);
        let mut pick = |orders: &[Order]| {
            if strong { Order::SeqCst } else { orders[below(orders.len() as u64) as usize] }
        };
        let any = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        let loads = [Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst];
        let stores = [Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst];
        let (load, store, update, fence) = (pick(&loads), pick(&stores), pick(&any), pick(&any[1..]));
        match below(10) {
            0..=3 => Operation::Read { address, width, order: load },
            4..=6 => Operation::Write { address, width, order: store, value: 1 + below(2) },
            7 => Operation::Update { address, width, order: update, op: UpdateOp::Add(1) },
            8 => {
                let failure = if load == Order::Plain { Order::Relaxed } else { load };
                let op = UpdateOp::CompareExchange { expected: below(2), desired: 2, failure, weak: false };
                Operation::Update { address, width, order: update, op }
            }
            _ => Operation::Fence(fence),
        }
    }

    impl Program for Random {
        type Cursor = (u32, u32);

        fn threads(&self) -> u32 {
            self.threads.len() as u32
        }

        fn start(&self, entry: Entry) -> (u32, u32) {
            match entry {
                Entry::Initial(t) => (t, 0),
                Entry::Spawned { code, .. } => (code as u32, 0),
            }
        }

        fn step(&self, (thread, at): &mut (u32, u32), _answer: Answer) -> Action {
            let operation =
                self.threads[*thread as usize].get(*at as usize).cloned().unwrap_or(Operation::Done);
            *at += 1;
            Action { site: SiteId(*at), operation }
        }

        fn objects(&self) -> &[Object] {
            &self.objects
        }

        fn sources(&self) -> Cow<'_, SourceMap> {
            Cow::Borrowed(&self.sources)
        }
    }

    /// Every search of a test asks [`super::check`] at every step.
    #[test]
    fn definitions_and_fast_checks_agree_on_random_programs() {
        for seed in 0..400 {
            let program = Random::new(seed);
            for model in Model::CAUSAL {
                let counts = [Equivalence::ReadsFrom, Equivalence::Coherence].map(|equivalence| {
                    let settings = Settings { equivalence, races: false, ..Settings::new(model) };
                    search(&program, &settings, &mut Unobserved).counts.executions
                });
                assert!(0 < counts[0] && counts[0] <= counts[1], "{counts:?}");
            }
        }
    }
    /// What the reads of each thread saw but for those of updates, and what is in memory at the end.
    struct Seen {
        addresses: Vec<Address>,
        all: BTreeSet<Vec<Value>>,
    }

    impl Observer<Random> for Seen {
        fn execution(&mut self, execution: &Execution<'_, Random>) -> Flow {
            let graph = execution.graph();
            let events = graph.threads.iter().flat_map(|thread| &thread.events);
            let reads = events.filter(|event| event.kind == Kind::Read && event.tag == EventTag::None);
            let read: Vec<Value> = reads.map(|event| event.read).collect();
            for row in execution.finals(&self.addresses) {
                self.all.insert([&read[..], &row].concat());
            }
            Flow::Continue
        }

        fn restarted(&mut self) {
            self.all.clear();
        }
    }

    impl Fork for Seen {
        fn fork(&self) -> Seen {
            Seen { addresses: self.addresses.clone(), all: BTreeSet::new() }
        }

        fn merge(&mut self, other: Seen) {
            self.all.extend(other.all);
        }
    }

    /// Threads that update one or two locations without looking at the results, beside what they do otherwise: with their
    /// updates in no order they see the same.
    #[test]
    fn orders_of_counts_are_not_seen() {
        let mut fewer = [0; Model::CAUSAL.len()];
        for seed in 0..150 {
            let mut program = Random::new(seed);
            let mut below = numbers(seed);
            let counters = 1 + below(2);
            for thread in &mut program.threads {
                thread.truncate(3);
                for _ in 0..1 + below(2) {
                    let order =
                        [Order::Relaxed, Order::Release, Order::Acquire, Order::AcqRel, Order::SeqCst];
                    let (order, address) = (order[below(5) as usize], at(7 + below(counters)));
                    let op = if below(12) > 0 { UpdateOp::Add(1 + below(2)) } else { UpdateOp::Or(1) };
                    let place = below(thread.len() as u64 + 1) as usize;
                    thread.insert(place, Operation::Count { address, width: Width::B4, order, op });
                }
                if below(8) == 0 {
                    thread.push(Operation::Read { address: at(7), width: Width::B4, order: Order::Acquire });
                }
            }
            let object = |i| Object { address: at(i), name: format!("x{i}"), ..program.objects[0].clone() };
            program.objects.extend([object(7), object(8)]);
            let addresses: Vec<Address> = program.objects.iter().map(|object| object.address).collect();
            for (model, fewer) in Model::CAUSAL.into_iter().zip(&mut fewer) {
                let equivalence = [Equivalence::ReadsFrom, Equivalence::Coherence][seed as usize % 2];
                let [all, counted] = [Reductions::NONE, Reductions::ALL].map(|reductions| {
                    let settings = Settings { equivalence, reductions, races: false, ..Settings::new(model) };
                    let mut seen = Seen { addresses: addresses.clone(), all: BTreeSet::new() };
                    let counts = search(&program, &settings, &mut seen).counts;
                    (seen.all, counts.executions)
                });
                assert!(all.0 == counted.0 && all.1 >= counted.1, "{seed} {model:?}: {:?}", program.threads);
                *fewer += u32::from(all.1 > counted.1);
            }
        }
        assert!(fewer.into_iter().all(|fewer| fewer > 5), "{fewer:?}");
    }

    /// The same with bounded store buffers; without room it is SC, more room allows more, and where the bound was not
    /// met there is nothing more to allow.
    #[test]
    fn bounds_agree_on_random_programs() {
        for seed in 0..400 {
            let program = Random::new(seed);
            for model in [Model::Sc, Model::Tso, Model::Pso] {
                for equivalence in [Equivalence::ReadsFrom, Equivalence::Coherence] {
                    let run = |model, buffer_bound| {
                        let settings = Settings { equivalence, buffer_bound, ..Settings::new(model) };
                        let outcome = search(&program, &settings, &mut Unobserved);
                        (outcome.counts.executions, outcome.bound_met)
                    };
                    let (all, _) = run(model, None);
                    let mut last = run(Model::Sc, None).0;
                    for bound in 0..4 {
                        let (executions, met) = run(model, Some(bound));
                        assert!(last <= executions && (bound > 0 || last == executions), "{seed} {model:?}");
                        assert!(met || executions == all, "{seed} {model:?} {bound}: {executions} of {all}");
                        assert!(!met || model != Model::Sc);
                        last = executions;
                    }
                    assert!(last == all, "no thread has more than four stores");
                }
            }
        }
    }
}
