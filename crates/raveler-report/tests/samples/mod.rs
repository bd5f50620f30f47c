//! Executions written by hand, for the tests of all forms of report.
#![allow(dead_code, reason = "each test file uses some of them")]

mod circle;

use raveler_core::outcome::{LbRace, RaceEnd, Related, StopReason, ThreadEnd, WitnessEvent, WitnessThread};
use raveler_core::{
    Address, Counts, Engine, Equivalence, EventId, EventKind, Model, Object, Order, Outcome, Site, SiteId,
    SourceMap, ThreadId, Violation, ViolationKind, Width, Witness, XmmRules,
};
use raveler_report::{Litmus, Locks, Names, Report, State, Stop, Usage};

#[allow(unused_imports, reason = "each test file uses some of it")]
pub use circle::*;

pub const INIT: EventId = EventId::INIT;

/// A program's names and what was found in it.
pub struct Sample {
    pub file: &'static str,
    pub lang: &'static str,
    pub model: Model,
    pub sources: SourceMap,
    pub names: Names,
    pub outcome: Outcome,
    pub litmus: Option<Litmus>,
    pub stop: Option<Stop>,
    pub xmm_rules: XmmRules,
    pub lb_races: bool,
    pub buffer_bound: Option<u32>,
}

impl Sample {
    pub fn report(&self) -> Report<'_> {
        Report {
            file: self.file,
            lang: self.lang,
            model: self.model,
            equivalence: Equivalence::ReadsFrom,
            locks: Locks::Ordered,
            xmm_rules: self.xmm_rules,
            random: None,
            lb_races: self.lb_races,
            buffer_bound: self.buffer_bound,
            preemption_bound: None,
            reduction: true,
            engine: Engine::Graph,
            outcome: &self.outcome,
            sources: &self.sources,
            names: &self.names,
            litmus: self.litmus.clone(),
            notes: Box::leak(Box::default()),
            stop: self.stop.clone(),
            usage: Usage { time_s: 0.25, cpu_s: Some(0.5), peak_rss_bytes: Some(12_000_000) },
            replay: Default::default(),
        }
    }
}

pub fn id(thread: u32, index: u32) -> EventId {
    EventId::new(thread, index)
}

/// Locations of four bytes from address 0x100 on, all initially zero.
pub fn names(locations: &[&str]) -> Names {
    let object = |(i, name): (usize, &&str)| Object {
        name: name.to_string(),
        address: at(i),
        size: 4,
        cell: Width::B4,
        initial: vec![0],
    };
    Names::new(&locations.iter().enumerate().map(object).collect::<Vec<_>>())
}

pub fn at(location: usize) -> Address {
    Address(0x100 + 16 * location as u64)
}

/// A map whose site `i` stands in line `i`.
pub fn sources(file: &str, threads: &[&str], lines: &[(&str, &str)]) -> SourceMap {
    let site = |(line, (function, text)): (u32, &(&str, &str))| Site {
        file: None,
        line,
        column: 3,
        function: function.to_string(),
        text: text.to_string(),
    };
    SourceMap {
        file: file.to_string(),
        text: String::new(),
        sites: (0..).zip(lines).map(site).collect(),
        threads: threads.iter().map(|t| t.to_string()).collect(),
        ..SourceMap::default()
    }
}

fn event(kind: EventKind, order: Order, line: u32) -> WitnessEvent {
    WitnessEvent {
        kind,
        order,
        address: None,
        width: Width::B4,
        read: None,
        written: None,
        reads_from: None,
        shared: false,
        locked: false,
        other: None,
        site: SiteId(line),
    }
}

pub fn write(location: usize, value: u64, order: Order, line: u32) -> WitnessEvent {
    WitnessEvent { address: Some(at(location)), written: Some(value), ..event(EventKind::Write, order, line) }
}

pub fn read(location: usize, value: u64, order: Order, from: EventId, line: u32) -> WitnessEvent {
    let base = event(EventKind::Read, order, line);
    WitnessEvent { address: Some(at(location)), read: Some(value), reads_from: Some(from), ..base }
}

pub fn update(location: usize, values: (u64, u64), order: Order, from: EventId, line: u32) -> WitnessEvent {
    let base = read(location, values.0, order, from, line);
    WitnessEvent { kind: EventKind::Update, written: Some(values.1), locked: true, ..base }
}

pub fn fence(order: Order, line: u32) -> WitnessEvent {
    event(EventKind::Fence, order, line)
}

pub fn lock(kind: EventKind, location: usize, from: EventId, line: u32) -> WitnessEvent {
    WitnessEvent { address: Some(at(location)), reads_from: Some(from), ..event(kind, Order::Plain, line) }
}

pub fn witness(threads: Vec<Vec<WitnessEvent>>, co: &[(usize, &[EventId])], story: &[(u32, u32)]) -> Witness {
    Witness {
        threads: threads
            .into_iter()
            .map(|events| WitnessThread { events, ..WitnessThread::default() })
            .collect(),
        coherence: co.iter().map(|(location, writes)| (at(*location), writes.to_vec())).collect(),
        story: story.iter().map(|&(t, i)| id(t, i)).collect(),
        ..Witness::default()
    }
}

/// Message passing without synchronisation: an assertion fails.
pub fn mp_assertion() -> Sample {
    let lines = [
        ("", ""),
        ("main", "data = 42"),
        ("main", "ready = 1"),
        ("user", "ready"),
        ("user", "data"),
        ("user", "assert(data == 42)"),
    ];
    let witness = witness(
        vec![
            vec![write(0, 42, Order::Relaxed, 1), write(1, 1, Order::Relaxed, 2)],
            vec![read(1, 1, Order::Relaxed, id(0, 1), 3), read(0, 0, Order::Relaxed, INIT, 4)],
        ],
        &[(0, &[INIT, id(0, 0)]), (1, &[INIT, id(0, 1)])],
        &[(0, 0), (0, 1), (1, 0), (1, 1)],
    );
    let violation = Violation {
        kind: ViolationKind::Assertion,
        message: "assert(data == 42)".to_string(),
        thread: ThreadId(1),
        site: SiteId(5),
        event: None,
        related: vec![],
        witness,
    };
    Sample {
        file: "tests/mp.c",
        lang: "c",
        model: Model::Rc20,
        sources: sources("tests/mp.c", &["main", "user"], &lines),
        names: names(&["data", "ready"]),
        outcome: Outcome {
            counts: Counts { executions: 2, failed: 1, events: 8, max_events: 4, ..Counts::default() },
            violations: vec![violation],
            stopped: Some(StopReason::Violation),
            ..Outcome::default()
        },
        litmus: None,
        stop: None,
        xmm_rules: XmmRules::Default,
        lb_races: false,
        buffer_bound: None,
    }
}

/// Message passing with a plain location: a race, in a litmus test whose condition holds.
pub fn mp_race() -> Sample {
    let mut sample = mp_assertion();
    let lines =
        [("", ""), ("P0", "*x = 1"), ("P0", "store(f, 1)"), ("P1", "r0 = load(f)"), ("P1", "r1 = *x")];
    sample.sources = sources("MP.litmus", &["P0", "P1"], &lines);
    sample.names = names(&["x", "f"]);
    sample.file = "MP.litmus";
    sample.lang = "litmus";
    let violation = &mut sample.outcome.violations[0];
    violation.kind = ViolationKind::Race;
    violation.message = String::new();
    violation.site = SiteId(4);
    violation.related =
        vec![Related { role: "racing access", thread: ThreadId(0), site: SiteId(1), event: None }];
    violation.witness.threads[0].events[0].order = Order::Plain;
    violation.witness.threads[0].events[0].written = Some(1);
    violation.witness.threads[1].events[1].order = Order::Plain;
    sample.outcome.stopped = None;
    sample.litmus = Some(Litmus {
        condition: Some("~exists (1:r0=1 /\\ 1:r1=2)".to_string()),
        holds: Some(true),
        states: vec![
            State { text: "1:r0=0 1:r1=0".into(), satisfies: false },
            State { text: "1:r0=1 1:r1=0".into(), satisfies: false },
        ],
        shown: None,
    });
    sample
}

/// Store buffering as a litmus test: the weak state exists.
pub fn sb_litmus() -> Sample {
    let lines = [
        ("", ""),
        ("P0", "store(x, 1)"),
        ("P0", "r0 = load(y)"),
        ("P1", "store(y, 1)"),
        ("P1", "r0 = load(x)"),
    ];
    let witness = witness(
        vec![
            vec![write(0, 1, Order::Relaxed, 1), read(1, 0, Order::Relaxed, INIT, 2)],
            vec![write(1, 1, Order::Relaxed, 3), read(0, 0, Order::Relaxed, INIT, 4)],
        ],
        &[(0, &[INIT, id(0, 0)]), (1, &[INIT, id(1, 0)])],
        &[(0, 0), (0, 1), (1, 0), (1, 1)],
    );
    let state = |text: &str, satisfies| State { text: text.to_string(), satisfies };
    Sample {
        file: "corpus/SB.litmus",
        lang: "litmus",
        model: Model::Tso,
        sources: sources("corpus/SB.litmus", &["P0", "P1"], &lines),
        names: names(&["x", "y"]),
        outcome: Outcome {
            counts: Counts { executions: 4, revisits: 2, events: 16, max_events: 4, ..Counts::default() },
            violations: vec![],
            stopped: None,
            ..Outcome::default()
        },
        litmus: Some(Litmus {
            condition: Some("exists (0:r0=0 /\\ 1:r0=0)".to_string()),
            holds: Some(true),
            states: vec![
                state("0:r0=0 1:r0=0", true),
                state("0:r0=0 1:r0=1", false),
                state("0:r0=1 1:r0=0", false),
                state("0:r0=1 1:r0=1", false),
            ],
            shown: Some(("0:r0=0 1:r0=0".to_string(), witness)),
        }),
        stop: None,
        xmm_rules: XmmRules::Default,
        lb_races: false,
        buffer_bound: None,
    }
}

/// The same under sc: the weak state does not exist.
pub fn sb_fails() -> Sample {
    let mut sample = sb_litmus();
    sample.model = Model::Sc;
    sample.outcome.counts.executions = 3;
    let litmus = sample.litmus.as_mut().expect("sb is a litmus test");
    litmus.states.remove(0);
    litmus.holds = Some(false);
    litmus.shown = None;
    sample
}

/// The same, stopped by a time limit before it was decided.
pub fn sb_stopped() -> Sample {
    let mut sample = sb_fails();
    sample.outcome.counts.executions = 3120;
    sample.outcome.stopped = Some(StopReason::Observer);
    sample.stop = Some(Stop::Timeout(2.0));
    sample.litmus.as_mut().expect("sb is a litmus test").holds = None;
    sample
}

/// A C program without violations.
pub fn passing() -> Sample {
    let mut sample = mp_assertion();
    sample.outcome.violations.clear();
    sample.outcome.stopped = None;
    sample.outcome.counts.executions = 1720;
    sample.outcome.counts.blocked = 12;
    sample
}

/// Two threads that take two locks in opposite order.
pub fn deadlock() -> Sample {
    let lines =
        [("", ""), ("left", "lock(&a)"), ("left", "lock(&b)"), ("right", "lock(&b)"), ("right", "lock(&a)")];
    let mut witness = witness(
        vec![
            vec![lock(EventKind::Lock, 0, INIT, 1), lock(EventKind::LockFailed, 1, id(1, 0), 2)],
            vec![lock(EventKind::Lock, 1, INIT, 3), lock(EventKind::LockFailed, 0, id(0, 0), 4)],
        ],
        &[],
        &[(0, 0), (1, 0), (0, 1), (1, 1)],
    );
    for thread in &mut witness.threads {
        thread.end = ThreadEnd::Lock;
    }
    let violation = Violation {
        kind: ViolationKind::Deadlock,
        message: String::new(),
        thread: ThreadId(0),
        site: SiteId(2),
        event: None,
        related: vec![Related { role: "waits here", thread: ThreadId(1), site: SiteId(4), event: None }],
        witness,
    };
    let mut sample = mp_assertion();
    sample.file = "bank.c";
    sample.sources = sources("bank.c", &["left", "right"], &lines);
    sample.names = names(&["a", "b"]);
    sample.outcome.violations = vec![violation];
    sample
}

/// Two threads that write while they hold a lock for reading.
pub fn race_of_readers() -> Sample {
    let lines =
        [("", ""), ("left", "rdlock(&l)"), ("left", "x = 1"), ("right", "rdlock(&l)"), ("right", "x = 2")];
    let rdlock = |line| WitnessEvent { shared: true, ..lock(EventKind::Lock, 0, INIT, line) };
    let witness = witness(
        vec![vec![rdlock(1), write(1, 1, Order::Plain, 2)], vec![rdlock(3), write(1, 2, Order::Plain, 4)]],
        &[(1, &[INIT, id(0, 1), id(1, 1)])],
        &[(0, 0), (0, 1), (1, 0), (1, 1)],
    );
    let mut sample = mp_assertion();
    sample.file = "readers.c";
    sample.sources = sources("readers.c", &["left", "right"], &lines);
    sample.names = names(&["l", "x"]);
    sample.outcome.violations = vec![Violation {
        kind: ViolationKind::Race,
        message: String::new(),
        thread: ThreadId(1),
        site: SiteId(4),
        event: None,
        related: vec![Related { role: "racing access", thread: ThreadId(0), site: SiteId(2), event: None }],
        witness,
    }];
    sample
}

/// A ring whose slots are filled by one line and emptied by another: the race is on the first slot, although both lines
/// go on to the second one.
pub fn race_in_a_ring() -> Sample {
    let lines = [
        ("", ""),
        ("producer", "ring[t % SLOTS] = v"),
        ("producer", "store(&tail, t + 1)"),
        ("consumer", "load(&tail)"),
        ("consumer", "v = ring[h % SLOTS]"),
    ];
    let witness = witness(
        vec![
            vec![
                write(0, 1, Order::Plain, 1),
                write(2, 1, Order::Relaxed, 2),
                write(1, 2, Order::Plain, 1),
                write(2, 2, Order::Release, 2),
            ],
            vec![
                read(2, 1, Order::Acquire, id(0, 1), 3),
                read(0, 0, Order::Plain, INIT, 4),
                read(2, 2, Order::Acquire, id(0, 3), 3),
                read(1, 2, Order::Plain, id(0, 2), 4),
            ],
        ],
        &[(0, &[INIT, id(0, 0)]), (1, &[INIT, id(0, 2)]), (2, &[INIT, id(0, 1), id(0, 3)])],
        &[(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3)],
    );
    let mut sample = mp_assertion();
    sample.file = "ring.c";
    sample.sources = sources("ring.c", &["producer", "consumer"], &lines);
    sample.names = names(&["ring[0]", "ring[1]", "tail"]);
    sample.outcome.violations = vec![Violation {
        kind: ViolationKind::Race,
        message: String::new(),
        thread: ThreadId(1),
        site: SiteId(4),
        event: Some(id(1, 1)),
        related: vec![Related {
            role: "racing access",
            thread: ThreadId(0),
            site: SiteId(1),
            event: Some(id(0, 0)),
        }],
        witness,
    }];
    sample
}

/// A lock that is released twice.
pub fn released_twice() -> Sample {
    let lines = [("", ""), ("one", "lock(&l)"), ("one", "unlock(&l)"), ("one", "unlock(&l)")];
    let unlock = WitnessEvent { reads_from: None, ..lock(EventKind::Unlock, 0, INIT, 2) };
    let mut sample = mp_assertion();
    sample.file = "twice.c";
    sample.sources = sources("twice.c", &["one"], &lines);
    sample.names = names(&["l"]);
    sample.outcome.violations = vec![Violation {
        kind: ViolationKind::UnlockNotHeld,
        message: String::new(),
        thread: ThreadId(0),
        site: SiteId(3),
        event: None,
        related: Vec::new(),
        witness: witness(vec![vec![lock(EventKind::Lock, 0, INIT, 1), unlock]], &[], &[(0, 0), (0, 1)]),
    }];
    sample
}

/// Four threads: two writers, two readers that disagree, and some more kinds of event. For pictures.
pub fn iriw() -> Sample {
    let lines: Vec<(&str, &str)> = vec![("P0", "…"); 16];
    let witness = witness(
        vec![
            vec![write(0, 1, Order::Release, 5), update(2, (0, 1), Order::AcqRel, INIT, 6)],
            vec![
                read(0, 1, Order::Acquire, id(0, 0), 8),
                fence(Order::Acquire, 9),
                read(1, 0, Order::Acquire, INIT, 10),
            ],
            vec![read(1, 1, Order::Acquire, id(3, 0), 12), read(0, 0, Order::Acquire, INIT, 13)],
            vec![
                write(1, 1, Order::Release, 14),
                update(2, (1, 2), Order::SeqCst, id(0, 1), 15),
                read(2, 2, Order::Relaxed, id(3, 1), 15),
            ],
        ],
        &[(0, &[INIT, id(0, 0)]), (1, &[INIT, id(3, 0)]), (2, &[INIT, id(0, 1), id(3, 1)])],
        &[(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (3, 0), (3, 1), (3, 2), (2, 0), (2, 1)],
    );
    let mut sample = sb_litmus();
    sample.file = "IRIW+more.litmus";
    sample.model = Model::Rc20;
    sample.sources = sources("IRIW+more.litmus", &["P0", "P1", "P2", "P3"], &lines);
    sample.names = names(&["x", "y", "z"]);
    let litmus = sample.litmus.as_mut().expect("sb is a litmus test");
    litmus.shown = Some(("1:r0=1 1:r1=0 2:r0=1 2:r1=0".to_string(), witness));
    sample
}

/// Load buffering under xmm, with a race that is realised and one that is not.
pub fn lb_races() -> Sample {
    let lines = [
        ("", ""),
        ("P0", "r0 = load(x)"),
        ("P0", "store(y, 1)"),
        ("P1", "r0 = load(y)"),
        ("P1", "store(x, 1)"),
    ];
    let end = |thread, line| RaceEnd { thread: ThreadId(thread), site: SiteId(line) };
    let mut sample = sb_litmus();
    sample.file = "corpus/LB.litmus";
    sample.model = Model::Xmm;
    sample.lb_races = true;
    sample.sources = sources("corpus/LB.litmus", &["P0", "P1"], &lines);
    sample.outcome.duplicates = 1;
    sample.outcome.lb_races = 1234;
    sample.outcome.lb_race_sites = vec![
        LbRace {
            read: end(0, 1),
            write: end(1, 4),
            address: at(0),
            way: vec![end(0, 2), end(1, 3)],
            is_realised: true,
        },
        LbRace { read: end(1, 3), write: end(0, 2), address: at(1), way: vec![], is_realised: false },
    ];
    let litmus = sample.litmus.as_mut().expect("sb is a litmus test");
    litmus.condition = Some("exists (0:r0=1 /\\ 1:r0=1)".to_string());
    litmus.shown = None;
    for state in &mut litmus.states {
        state.satisfies = state.text == "0:r0=1 1:r0=1";
    }
    sample
}
