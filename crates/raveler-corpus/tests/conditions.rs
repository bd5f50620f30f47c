//! Condition variables, semaphores and locks that are tried, against a machine that knows nothing of graphs: it runs all interleavings of small random
//! programs, where waiting releases the mutex and blocks in one step, as the standard says, and collects what every
//! operation saw. The search must find just as many executions, and a deadlock exactly if the machine can get stuck.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use raveler_c::search;
use raveler_core::observer::Unobserved;
use raveler_core::{Locks, Model, Settings, Verdict, ViolationKind};
use raveler_corpus::c::prepare;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Lock,
    Unlock,
    Wait,
    /// Wait if the flag is not set.
    WaitUnlessSet,
    TimedWait,
    Signal,
    Broadcast,
    Set,
    /// Take the mutex if it is free, and release it.
    Try,
    SemWait,
    SemTry,
    SemPost,
}

type Script = Vec<Op>;

/// Something that happened: thread and number.
type Id = (usize, usize);

/// Where a thread stands within an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Ready,
    /// It tried the mutex and has it.
    Tried,
    /// It saw that the flag is not set, and will wait.
    WillWait,
    Blocked,
    BlockedTimed,
    /// Woken by this, or late.
    Awake,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<(usize, Phase)>,
    owner: Option<usize>,
    /// How the owner took it.
    taken: Option<Id>,
    /// What the semaphore holds, and who changed it last.
    count: usize,
    counted: Option<Id>,
    /// Who released the mutex last, changed the condition variable last, set the flag last.
    released: Option<Id>,
    changed: Option<Id>,
    set: Option<Id>,
    /// What every thread saw, in order: a mark and where it came from.
    seen: Vec<Vec<(char, Option<Id>)>>,
}

impl State {
    fn note(&mut self, thread: usize, mark: char, from: Option<Id>) -> Id {
        self.seen[thread].push((mark, from));
        (thread, self.seen[thread].len() - 1)
    }

    fn waiting(&self) -> Vec<usize> {
        let waits = |&t: &usize| matches!(self.at[t].1, Phase::Blocked | Phase::BlockedTimed);
        (0..self.at.len()).filter(waits).collect()
    }

    fn block(&mut self, thread: usize, phase: Phase) {
        self.changed = Some(self.note(thread, 'w', self.changed));
        self.released = Some(self.note(thread, 'u', None));
        self.owner = None;
        self.at[thread].1 = phase;
    }

    fn wake(&mut self, thread: usize, by: Id) {
        self.note(thread, 'b', Some(by));
        self.at[thread].1 = Phase::Awake;
    }

    /// All states that one step of this thread leads to.
    fn steps(&self, thread: usize, script: &Script) -> Vec<State> {
        let (pc, phase) = self.at[thread];
        let Some(&op) = script.get(pc) else { return Vec::new() };
        let mut next = self.clone();
        next.at[thread] = (pc + 1, Phase::Ready);
        match (op, phase) {
            (_, Phase::Blocked) => Vec::new(),
            (_, Phase::Tried) => {
                next.owner = None;
                next.released = Some(next.note(thread, 'u', None));
                vec![next]
            }
            (_, Phase::BlockedTimed) => {
                next.at[thread] = (pc, Phase::Awake);
                next.changed = Some(next.note(thread, 'l', next.changed));
                vec![next]
            }
            (Op::Lock, _) | (_, Phase::Awake) => {
                if self.owner.is_some() {
                    return Vec::new();
                }
                next.owner = Some(thread);
                next.taken = Some(next.note(thread, 'k', next.released));
                vec![next]
            }
            (Op::Try, _) if self.owner.is_some() => {
                next.note(thread, 'f', next.taken);
                vec![next]
            }
            // Others can find it taken.
            (Op::Try, _) => {
                next.owner = Some(thread);
                next.taken = Some(next.note(thread, 't', next.released));
                next.at[thread] = (pc, Phase::Tried);
                vec![next]
            }
            (Op::SemWait, _) if self.count == 0 => Vec::new(),
            (Op::SemTry, _) if self.count == 0 => {
                next.note(thread, 'e', next.counted);
                vec![next]
            }
            (Op::SemWait | Op::SemTry, _) => {
                next.count -= 1;
                next.counted = Some(next.note(thread, 'd', next.counted));
                vec![next]
            }
            (Op::SemPost, _) => {
                next.count += 1;
                next.counted = Some(next.note(thread, 'p', next.counted));
                vec![next]
            }
            (Op::Unlock, _) => {
                next.owner = None;
                next.released = Some(next.note(thread, 'u', None));
                vec![next]
            }
            (Op::Wait, _) => {
                next.at[thread].0 = pc;
                next.block(thread, Phase::Blocked);
                vec![next]
            }
            (Op::TimedWait, _) => {
                next.at[thread].0 = pc;
                next.block(thread, Phase::BlockedTimed);
                vec![next]
            }
            (Op::WaitUnlessSet, Phase::WillWait) => {
                next.at[thread].0 = pc;
                next.block(thread, Phase::Blocked);
                vec![next]
            }
            (Op::WaitUnlessSet, _) => {
                next.note(thread, 'r', next.set);
                if next.set.is_none() {
                    next.at[thread] = (pc, Phase::WillWait);
                }
                vec![next]
            }
            (Op::Set, _) => {
                next.set = Some(next.note(thread, 's', None));
                vec![next]
            }
            (Op::Signal | Op::Broadcast, _) if self.waiting().is_empty() => {
                next.note(thread, 'n', next.changed);
                vec![next]
            }
            (Op::Broadcast, _) => {
                let id = next.note(thread, 'a', next.changed);
                next.changed = Some(id);
                self.waiting().into_iter().for_each(|waiter| next.wake(waiter, id));
                vec![next]
            }
            (Op::Signal, _) => {
                let one = |waiter: usize| {
                    let mut next = next.clone();
                    let who = char::from_digit(waiter as u32, 10).expect("few threads");
                    let id = next.note(thread, who, next.changed);
                    next.changed = Some(id);
                    next.wake(waiter, id);
                    next
                };
                self.waiting().into_iter().map(one).collect()
            }
        }
    }
}

/// How many executions there are, and whether some threads can get stuck.
fn run(scripts: &[Script]) -> (usize, bool) {
    let start = State {
        at: vec![(0, Phase::Ready); scripts.len()],
        owner: None,
        taken: None,
        count: 0,
        counted: None,
        released: None,
        changed: None,
        set: None,
        seen: vec![Vec::new(); scripts.len()],
    };
    let (mut known, mut work) = (HashSet::from([start.clone()]), vec![start]);
    let (mut complete, mut stuck) = (BTreeSet::new(), false);
    while let Some(state) = work.pop() {
        let next: Vec<State> =
            (0..scripts.len()).flat_map(|thread| state.steps(thread, &scripts[thread])).collect();
        if next.is_empty() {
            if state.at.iter().zip(scripts).all(|(at, script)| at.0 == script.len()) {
                complete.insert(state.seen);
            } else {
                stuck = true;
            }
            continue;
        }
        for state in next {
            if known.insert(state.clone()) {
                work.push(state);
            }
        }
    }
    (complete.len(), stuck)
}

fn source(scripts: &[Script]) -> String {
    let mut text = String::from(
        "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <time.h>\n\
         static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic atomic_int flag;\n\
         static sem_t s;\n",
    );
    for (t, script) in scripts.iter().enumerate() {
        let _ = writeln!(text, "static void *run{t}(void *a) {{");
        for op in script {
            let line = match op {
                Op::Lock => "pthread_mutex_lock(&m);",
                Op::Unlock => "pthread_mutex_unlock(&m);",
                Op::Wait => "pthread_cond_wait(&c, &m);",
                Op::WaitUnlessSet => "if (!flag) pthread_cond_wait(&c, &m);",
                Op::TimedWait => "{ struct timespec t = {1, 0}; pthread_cond_timedwait(&c, &m, &t); }",
                Op::Signal => "pthread_cond_signal(&c);",
                Op::Broadcast => "pthread_cond_broadcast(&c);",
                Op::Set => "flag = 1;",
                Op::Try => "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);",
                Op::SemWait => "sem_wait(&s);",
                Op::SemTry => "sem_trywait(&s);",
                Op::SemPost => "sem_post(&s);",
            };
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("  return a;\n}\n");
    }
    text.push_str("int main(void) {\n");
    let _ = writeln!(text, "  pthread_t t[{}];", scripts.len());
    for t in 0..scripts.len() {
        let _ = writeln!(text, "  pthread_create(&t[{t}], 0, run{t}, 0);");
    }
    for t in 0..scripts.len() {
        let _ = writeln!(text, "  pthread_join(t[{t}], 0);");
    }
    text.push_str("}\n");
    text
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn script(&mut self) -> Script {
        let mut script = Vec::new();
        for _ in 0..1 + self.below(2) {
            if self.below(3) == 0 {
                let ops = [Op::Signal, Op::Broadcast, Op::Set, Op::Try, Op::SemWait, Op::SemPost, Op::SemTry];
                script.push(ops[self.below(7) as usize]);
                continue;
            }
            script.push(Op::Lock);
            for _ in 0..1 + self.below(2) {
                script.push(
                    [
                        Op::Wait,
                        Op::WaitUnlessSet,
                        Op::WaitUnlessSet,
                        Op::TimedWait,
                        Op::Signal,
                        Op::Broadcast,
                        Op::Set,
                        Op::SemWait,
                        Op::SemPost,
                        Op::SemPost,
                    ][self.below(10) as usize],
                );
            }
            script.push(Op::Unlock);
        }
        script
    }
}

/// Are there threads that try the mutex, and threads that wait? Between the two halves of beginning to wait, a signal that
/// was sent without the mutex can come, and the mutex be found taken still. Real libraries allow that, the machine does
/// not.
fn mixes(scripts: &[Script]) -> bool {
    let has = |ops: &[Op]| scripts.iter().flatten().any(|op| ops.contains(op));
    has(&[Op::Try]) && has(&[Op::Wait, Op::WaitUnlessSet, Op::TimedWait])
}

fn compare(scripts: &[Script], name: &str) {
    let file = std::env::temp_dir().join(format!("raveler-conditions-{}-{name}.c", std::process::id()));
    let text = source(scripts);
    std::fs::write(&file, &text).expect("a file can be written");
    let program = prepare(&file, &[], &Default::default());
    let _ = std::fs::remove_file(&file);
    let program = program.unwrap_or_else(|message| panic!("{message}\n{text}"));
    let mut settings = Settings { locks: Locks::Ordered, ..Settings::new(Model::Sc) };
    settings.all = true;
    program.prepare(&settings);
    let outcome = search(&program, &settings, &mut Unobserved);
    let (executions, stuck) = run(scripts);
    // Without the order of sections there are fewer executions, and the same deadlocks.
    let aware =
        search(&program.fresh(), &Settings { locks: Locks::Aware, ..settings.clone() }, &mut Unobserved);
    let found = aware.violations.iter().any(|v| v.kind == ViolationKind::Deadlock);
    assert_eq!(found, stuck, "deadlock, sections unordered, in\n{text}");
    assert!(aware.counts.executions <= executions as u64, "executions, sections unordered, of\n{text}");
    assert_eq!(aware.counts.executions == 0, executions == 0, "executions, sections unordered, of\n{text}");
    settings.workers = 2;
    let both = search(&program, &settings, &mut Unobserved).counts;
    assert_eq!(both.executions, outcome.counts.executions, "executions with two workers of\n{text}");
    assert_eq!(outcome.counts.executions, executions as u64, "executions of\n{text}");
    let deadlock = outcome.violations.iter().any(|v| v.kind == ViolationKind::Deadlock);
    assert_eq!(deadlock, stuck, "deadlock in\n{text}");
    assert_eq!(outcome.verdict() == Verdict::Violation, stuck, "violations of\n{text}");
}

#[test]
fn a_signal_wakes_any_one_that_waits() {
    if !raveler_c::clang::is_there() {
        return;
    }
    let wait = vec![Op::Lock, Op::Wait, Op::Unlock];
    let signal = vec![Op::Lock, Op::Signal, Op::Unlock];
    compare(&[wait.clone(), signal.clone()], "one");
    compare(&[wait.clone(), wait.clone(), signal.clone()], "two");
    compare(&[wait.clone(), wait.clone(), signal.clone(), signal], "twice");
    compare(&[wait.clone(), wait.clone(), wait, vec![Op::Broadcast]], "all");
}

#[test]
fn random_programs_have_the_executions_of_the_machine() {
    if !raveler_c::clang::is_there() {
        return;
    }
    let seed = std::env::var("RAVELER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let count = std::env::var("RAVELER_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    for n in 0..count {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed + n * 1000 + 1));
        let threads = 2 + dice.below(2);
        let scripts: Vec<Script> = (0..threads).map(|_| dice.script()).collect();
        if !mixes(&scripts) {
            compare(&scripts, &format!("{seed}-{n}"));
        }
    }
}
