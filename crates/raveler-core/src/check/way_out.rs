//! Can stuck threads still go on? They are run on from a leaf, each read seeing the latest write (docs/waits.md,
//! "Liveness").
//!
//! Threads that only poll, try locks and back off come back to states in which they were, so there are finitely
//! many. Memory stays as it is all the time: the first write that changes something is a way out. So reads commute
//! with all that the other threads do, and threads take turns only at locks.

use rustc_hash::FxHashMap;

use super::deadlock;
use crate::graph::{EventTag, Graph, Kind, Loc, ThreadStatus};
use crate::id::Address;
use crate::mutation::Mutant;
use crate::outcome::ThreadEnd;
use crate::program::Program;
use crate::program::action::{Answer, LockMode, Operation, ThreadName, Value, Waiting, Width};
use crate::run::Run;
use crate::run::counters;
use crate::run::resolve::Request;

/// More states than this are not looked at, nor more steps of one thread between two locks.
const MAX_STATES: usize = 20_000;
const MAX_STEPS: usize = 10_000;

/// What running threads on from a leaf showed.
pub(super) enum WayOut {
    /// Some thread can do something new, or leave the loop in which it waits.
    Found,
    /// No thread can.
    None,
    /// It depends on the latest write of this location.
    DependsOn(Loc),
    /// There are too many states, or a bound ends the search for one.
    TooMany,
}

/// The latest value of each location that is known.
pub(super) type Latest = FxHashMap<Loc, Value>;

/// Where a thread stands in a continuation.
struct Thread<C> {
    /// Its number in the graph.
    thread: usize,
    cursor: C,
    wants: Wants,
    /// Numbers the state.
    number: u128,
}

impl<C> Thread<C> {
    /// What two equal states of a thread share.
    fn key(&self) -> (u128, Wants) {
        (self.number, self.wants)
    }
}

impl<C: Clone> Clone for Thread<C> {
    fn clone(&self) -> Thread<C> {
        Thread { cursor: self.cursor.clone(), ..*self }
    }
}

/// What a thread does next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Wants {
    /// Nothing: it is stuck, or goes round without a lock.
    Nothing,
    Lock(Address, LockMode),
    TryLock(Address, LockMode),
    Unlock(Address),
}

/// A lock that is held: by which thread, in which mode.
type Held = (Address, usize, LockMode);

/// The threads that are not finished, and the locks that are held.
struct State<C> {
    threads: Vec<Thread<C>>,
    held: Vec<Held>,
}

/// What two equal states share.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    threads: Vec<(u128, Wants)>,
    held: Vec<Held>,
}

impl<C: Clone> Clone for State<C> {
    fn clone(&self) -> State<C> {
        State { threads: self.threads.clone(), held: self.held.clone() }
    }
}

impl<C> State<C> {
    /// Can this thread take a lock?
    fn is_free(&self, lock: Address, thread: usize, mode: LockMode) -> bool {
        self.held.iter().filter(|held| held.0 == lock).all(|&(_, holder, held)| {
            // A reader may take the lock once more.
            let again = holder == thread && mode == LockMode::Shared;
            !held.excludes(mode) || again && held == LockMode::Shared
        })
    }

    fn key(&self) -> Key {
        let mut held = self.held.clone();
        held.sort_unstable();
        Key { threads: self.threads.iter().map(Thread::key).collect(), held }
    }
}

/// The steps between the states of a continuation, which have numbers.
struct Steps {
    /// By state: from where it is reached in one step.
    before: Vec<Vec<usize>>,
    /// By thread: the states in which it is where it was at the leaf.
    home: Vec<Vec<usize>>,
}

impl Steps {
    fn note_home<C>(&mut self, number: usize, state: &State<C>, start: &[(u128, Wants)]) {
        for ((home, thread), start) in self.home.iter_mut().zip(&state.threads).zip(start) {
            if thread.key() == *start {
                home.push(number);
            }
        }
    }

    /// Can a thread come back to where it was at the leaf, whatever happened meanwhile? Otherwise it can leave its
    /// loop: to end up somewhere else, perhaps stuck, but that is what another leaf shows.
    fn always_comes_back(&self, thread: usize) -> bool {
        let mut comes_back = vec![false; self.before.len()];
        let mut open = self.home[thread].clone();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut comes_back[state], true) {
                open.extend(&self.before[state]);
            }
        }
        comes_back.into_iter().all(|comes_back| comes_back)
    }
}

/// Run the stuck threads of a leaf on.
pub(super) fn look<P: Program>(run: &Run<'_, P>, graph: &Graph, latest: &Latest) -> WayOut {
    Continuation { run, graph, latest }.explore().map_or_else(|stop| stop, |()| WayOut::None)
}

/// Does the engine know when this thread is in a state in which it was before?
pub(super) fn has_numbers<P: Program>(run: &Run<'_, P>, graph: &Graph, thread: usize) -> bool {
    let cursor = &run.states[graph.threads[thread].state as usize].cursor;
    run.program.world().is_none() && run.program.hints().state_number(cursor).is_some()
}

struct Continuation<'a, P: Program> {
    run: &'a Run<'a, P>,
    graph: &'a Graph,
    latest: &'a Latest,
}

impl<P: Program> Continuation<'_, P> {
    /// All states that can be reached; an error is a reason to stop.
    fn explore(&self) -> Result<(), WayOut> {
        let first = self.begin()?;
        let mut numbers = FxHashMap::default();
        numbers.insert(first.key(), 0);
        let mut steps = Steps { before: vec![Vec::new()], home: vec![Vec::new(); first.threads.len()] };
        let start: Vec<(u128, Wants)> = first.threads.iter().map(Thread::key).collect();
        steps.note_home(0, &first, &start);
        let mut open = vec![(0, first)];
        while let Some((from, state)) = open.pop() {
            for thread in 0..state.threads.len() {
                let Some((held, answer)) = self.at_lock(&state, thread)? else { continue };
                let mut next = State { held, ..state.clone() };
                self.go_on(&mut next.threads[thread], answer)?;
                let new = numbers.len();
                let to = *numbers.entry(next.key()).or_insert(new);
                if to == new {
                    if numbers.len() > MAX_STATES {
                        return Err(WayOut::TooMany);
                    }
                    steps.before.push(Vec::new());
                    steps.note_home(to, &next, &start);
                    open.push((to, next));
                }
                steps.before[to].push(from);
            }
        }
        let leaves = |(at, &thread): (usize, &usize)| {
            self.run.thread_end(self.graph, thread) == ThreadEnd::Spin && !steps.always_comes_back(at)
        };
        let threads: Vec<usize> = self.unfinished().collect();
        if threads.iter().enumerate().any(leaves) && !Mutant::LeftLoopIsStuck.is_active() {
            return Err(WayOut::Found);
        }
        Ok(())
    }

    /// The threads that are there and have not ended, in the order of [`State::threads`].
    fn unfinished(&self) -> impl Iterator<Item = usize> {
        let ended = |t: &usize| matches!(self.graph.status[*t], ThreadStatus::Absent | ThreadStatus::Done);
        (0..self.graph.threads.len()).filter(move |t| !ended(t))
    }

    /// The state of a leaf, each thread run on to its next lock.
    fn begin(&self) -> Result<State<P::Cursor>, WayOut> {
        let Continuation { run, graph, .. } = *self;
        let mut state = State { threads: Vec::new(), held: Vec::new() };
        (0..graph.threads.len()).for_each(|t| self.add_held(t, &mut state.held));
        for t in self.unfinished() {
            let cursor = run.states[graph.threads[t].state as usize].cursor.clone();
            let mut thread = Thread { thread: t, cursor, wants: Wants::Nothing, number: 0 };
            match run.thread_end(graph, t) {
                ThreadEnd::Lock => {
                    let wanted = deadlock::wanted(run, graph, t).map(|wanted| wanted.lock);
                    let mode = match run.step(graph, t).request {
                        Request::Lock { mode, .. } => mode,
                        _ => LockMode::Exclusive,
                    };
                    if let Some(lock) = wanted {
                        thread.wants = Wants::Lock(self.address(lock), mode);
                    }
                }
                ThreadEnd::Spin | ThreadEnd::Condition if has_numbers(run, graph, t) => {
                    let request = &run.step(graph, t).request;
                    if !matches!(request, Request::Wait(Waiting::Signal | Waiting::Nothing)) {
                        self.go_on(&mut thread, Answer::NONE)?;
                    }
                }
                _ => {}
            }
            state.threads.push(thread);
        }
        Ok(state)
    }

    fn address(&self, loc: Loc) -> Address {
        self.run.tables.memory.locations[loc as usize].address
    }

    /// The locks that a thread holds at the leaf.
    fn add_held(&self, thread: usize, held: &mut Vec<Held>) {
        for event in &self.graph.threads[thread].events {
            match (event.kind, event.tag) {
                (Kind::Lock, _) => held.push((self.address(event.loc), thread, event.lock_mode())),
                (Kind::Update, EventTag::Lock) => {
                    held.push((self.address(event.loc), thread, LockMode::Exclusive));
                }
                (Kind::Unlock, _) | (Kind::Write, EventTag::Unlock) => {
                    let lock = self.address(event.loc);
                    if let Some(at) = held.iter().rposition(|held| (held.0, held.1) == (lock, thread)) {
                        held.remove(at);
                    }
                }
                _ => {}
            }
        }
    }

    /// A thread does what it wants with a lock: the locks that are held then, and the answer. None if it waits.
    fn at_lock(&self, state: &State<P::Cursor>, at: usize) -> Result<Option<(Vec<Held>, Answer)>, WayOut> {
        let mut held = state.held.clone();
        let Thread { thread, wants, .. } = state.threads[at];
        let answer = match wants {
            Wants::Nothing => return Ok(None),
            Wants::Lock(lock, mode) => {
                if !state.is_free(lock, thread, mode) {
                    return Ok(None);
                }
                held.push((lock, thread, mode));
                Answer::NONE
            }
            Wants::TryLock(lock, mode) => {
                let free = state.is_free(lock, thread, mode);
                if free {
                    held.push((lock, thread, mode));
                }
                Answer::Value(Value::from(free))
            }
            Wants::Unlock(lock) => {
                let Some(at) = held.iter().rposition(|held| (held.0, held.1) == (lock, thread)) else {
                    return Err(WayOut::Found);
                };
                held.remove(at);
                Answer::NONE
            }
        };
        Ok(Some((held, answer)))
    }

    /// Run a thread on to its next lock, or until it is seen to go round without one.
    fn go_on(&self, thread: &mut Thread<P::Cursor>, mut answer: Answer) -> Result<(), WayOut> {
        let program = self.run.program;
        let mut seen = Vec::new();
        for _ in 0..MAX_STEPS {
            let operation = program.step(&mut thread.cursor, answer).operation;
            let wants = match operation {
                Operation::Read { address, width, .. } | Operation::ReadPart { address, width, .. } => {
                    answer = Answer::Value(self.read(address, width)?);
                    continue;
                }
                Operation::Update { address, width, op, .. } => {
                    let old = self.read(address, width)?;
                    if op.apply(old, width).is_some_and(|new| new != old) {
                        return Err(WayOut::Found);
                    }
                    answer = Answer::Value(old);
                    continue;
                }
                // Rounds begin with such stores.
                Operation::Write { address, width, value, .. }
                    if program.hints().is_unseen(address)
                        && self.read(address, width)? == width.cut(value) =>
                {
                    answer = Answer::NONE;
                    continue;
                }
                Operation::Count { address, width, op, .. } => {
                    let old = self.read(address, width)?;
                    if op.apply(old, width).is_some_and(|new| new != old) {
                        return Err(WayOut::Found);
                    }
                    let counts = self.run.tables.is_counter(address) && counters::kind(op).is_some();
                    answer = if counts { Answer::Failed(1) } else { Answer::Value(old) };
                    continue;
                }
                Operation::Fence(_) => {
                    answer = Answer::NONE;
                    continue;
                }
                Operation::Wait(Waiting::Spin { .. } | Waiting::Condition) => {
                    let number = self.number(&thread.cursor)?;
                    if !seen.contains(&number) {
                        seen.push(number);
                        answer = Answer::NONE;
                        continue;
                    }
                    Wants::Nothing
                }
                // A bound was reached: what the thread would do is not known.
                Operation::Cut => return Err(WayOut::TooMany),
                Operation::Join(name) if self.has_ended(name) => return Err(WayOut::Found),
                // Nothing that these wait for comes while memory stays as it is.
                Operation::Wait(Waiting::Signal | Waiting::Nothing)
                | Operation::Join(_)
                | Operation::Block => Wants::Nothing,
                Operation::Lock { address, mode } => Wants::Lock(address, mode),
                Operation::TryLock { address, mode } => Wants::TryLock(address, mode),
                Operation::Unlock { address } => Wants::Unlock(address),
                _ => return Err(WayOut::Found),
            };
            thread.wants = wants;
            thread.number = self.number(&thread.cursor)?;
            return Ok(());
        }
        Err(WayOut::TooMany)
    }

    /// Has this thread ended at the leaf already?
    fn has_ended(&self, name: ThreadName) -> bool {
        let thread = self.run.tables.threads.known(name);
        thread.is_some_and(|thread| self.run.can_be_joined(self.graph, thread))
    }

    fn number(&self, cursor: &P::Cursor) -> Result<u128, WayOut> {
        // Without a number nothing can be said: the thread may do anything.
        self.run.program.hints().state_number(cursor).ok_or(WayOut::Found)
    }

    /// The latest value at an address. What no event has touched is as it was at first: whether a location is known depends
    /// on the executions that the search saw before, and must play no role.
    fn read(&self, address: Address, width: Width) -> Result<Value, WayOut> {
        let Some(loc) = self.run.tables.memory.known(address) else {
            return self.run.untouched(self.graph, address, width).ok_or(WayOut::Found);
        };
        if self.run.tables.memory.locations[loc as usize].width != width {
            return Err(WayOut::Found);
        }
        self.latest.get(&loc).copied().ok_or(WayOut::DependsOn(loc))
    }
}
