//! Stories of executions that the engine really finds, for what litmus tests do not have: locks, threads that
//! start others, memory from the heap.

use raveler_core::LockMode;
use raveler_core::observer::Unobserved;
use std::borrow::Cow;

use raveler_core::{
    Action, Address, Answer, Engine, Entry, Equivalence, Model, Object, Operation, Order, Outcome, Program,
    Settings, Site, SiteId, SourceMap, Value, Width, XmmRules, search,
};
use raveler_report::text::{self, Detail};
use raveler_report::{Colour, Locks, Names, Report, Usage};

type Body = fn(&[Value]) -> Operation;

/// Threads given as functions from the answers so far to the next request; request `i` of code `c` stands in
/// line `10 * c + i + 1`.
struct Threads {
    initial: u32,
    bodies: Vec<Body>,
    objects: Vec<Object>,
    names: Names,
    sources: SourceMap,
}

impl Threads {
    fn new(initial: u32, names: &[&str], locations: &[&str], bodies: Vec<Body>) -> Threads {
        let object = |(i, name): (usize, &&str)| Object {
            name: name.to_string(),
            address: at(i),
            size: 4,
            cell: Width::B4,
            initial: vec![0],
        };
        let site = |i: usize| Site {
            file: None,
            line: i as u32 + 1,
            column: 1,
            function: names[i / 10].to_string(),
            text: String::new(),
        };
        let objects: Vec<Object> = locations.iter().enumerate().map(object).collect();
        Threads {
            initial,
            names: Names::new(&objects),
            objects,
            sources: SourceMap {
                file: "real.c".to_string(),
                sites: (0..10 * bodies.len()).map(site).collect(),
                threads: names[..initial as usize].iter().map(|n| n.to_string()).collect(),
                ..SourceMap::default()
            },
            bodies,
        }
    }

    fn story(&self, model: Model) -> String {
        let settings = Settings { all: true, ..Settings::new(model) };
        let outcome = search(self, &settings, &mut Unobserved);
        text::render(&self.report(&outcome, model), Detail::Normal, Colour::Off)
    }

    fn report<'a>(&'a self, outcome: &'a Outcome, model: Model) -> Report<'a> {
        Report {
            file: "real.c",
            lang: "c",
            model,
            equivalence: Equivalence::ReadsFrom,
            locks: Locks::Ordered,
            xmm_rules: XmmRules::Default,
            random: None,
            lb_races: false,
            buffer_bound: None,
            preemption_bound: None,
            reduction: true,
            engine: Engine::Graph,
            outcome,
            sources: &self.sources,
            names: &self.names,
            litmus: None,
            notes: Box::leak(Box::default()),
            stop: None,
            usage: Usage::default(),
            replay: Default::default(),
        }
    }
}

impl Program for Threads {
    type Cursor = (usize, Option<Vec<Value>>);

    fn threads(&self) -> u32 {
        self.initial
    }

    fn start(&self, entry: Entry) -> Self::Cursor {
        match entry {
            Entry::Initial(thread) => (thread as usize, None),
            Entry::Spawned { code, .. } => (code as usize, None),
        }
    }

    fn step(&self, (code, answers): &mut Self::Cursor, answer: Answer) -> Action {
        match answers {
            None => *answers = Some(Vec::new()),
            Some(list) => list.push(answer.value()),
        }
        let answers = answers.as_deref().unwrap_or_default();
        let site = SiteId((10 * *code + answers.len()) as u32);
        Action { site, operation: self.bodies[*code](answers) }
    }

    fn objects(&self) -> &[Object] {
        &self.objects
    }

    fn sources(&self) -> Cow<'_, SourceMap> {
        Cow::Borrowed(&self.sources)
    }
}

fn at(location: usize) -> Address {
    Address(0x1000 + 16 * location as u64)
}

fn lock(location: usize) -> Operation {
    Operation::Lock { address: at(location), mode: LockMode::Exclusive }
}

fn unlock(location: usize) -> Operation {
    Operation::Unlock { address: at(location) }
}

fn write(location: usize, value: Value, order: Order) -> Operation {
    Operation::Write { address: at(location), width: Width::B4, order, value }
}

fn read(location: usize, order: Order) -> Operation {
    Operation::Read { address: at(location), width: Width::B4, order }
}

fn contains(story: &str, lines: &[&str]) {
    for line in lines {
        assert!(story.contains(line), "`{line}` is missing:\n{story}");
    }
}

#[test]
fn two_locks_in_opposite_order() {
    let program = Threads::new(
        2,
        &["left", "right"],
        &["a", "b"],
        vec![
            |answers| match answers.len() {
                0 => lock(0),
                1 => lock(1),
                2 => unlock(1),
                3 => unlock(0),
                _ => Operation::Done,
            },
            |answers| match answers.len() {
                0 => lock(1),
                1 => lock(0),
                2 => unlock(0),
                3 => unlock(1),
                _ => Operation::Done,
            },
        ],
    );
    let story = program.story(Model::Rc20);
    contains(
        &story,
        &[
            "violation: deadlock  real.c:",
            "thread 0 (left) holds a (real.c:1) and waits for b (real.c:2), held by thread 1\n",
            "thread 1 (right) holds b (real.c:11) and waits for a (real.c:12), held by thread 0\n",
            "= help: take the locks in the same order in every thread\n",
        ],
    );
}

#[test]
fn threads_that_are_started_and_joined() {
    let program = Threads::new(
        1,
        &["main", "worker"],
        &["x"],
        vec![
            |answers| match answers.len() {
                0 => Operation::Spawn { code: 1, argument: 0 },
                1 => write(0, 1, Order::Plain),
                2 => Operation::Join(answers[0]),
                _ => Operation::Done,
            },
            |answers| match answers.len() {
                0 => read(0, Order::Plain),
                _ => Operation::Done,
            },
        ],
    );
    let story = program.story(Model::Rc20);
    contains(
        &story,
        &[
            "violation: data race on x  real.c:",
            "starts thread 1 (worker)",
            "nothing orders real.c:",
            "= help: make x atomic, or guard both accesses with the same lock\n",
        ],
    );
}
