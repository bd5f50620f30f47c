//! The machine: threads, locks and the heap over some memory, one step at a time.
//!
//! States are plain values that can be hashed; there are no events and no graphs.
//!
//! This file is long because one step knows every kind of statement.

mod synchronise;

use raveler_core::{Model, ViolationKind};

use super::ast::{Cond, Expr, Order, Place, Reg, Update};
use super::code::{ALL_REGS, Code, Op};
use super::memory::{Access, Memory, UNKNOWN};

/// How far a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Life {
    Unborn,
    Running,
    Ended,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Thread {
    at: u16,
    life: Life,
    /// More than the program has.
    regs: [i8; ALL_REGS],
}

/// A reader-writer lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct RwLock {
    writer: Option<u8>,
    /// How often each thread reads.
    readers: Vec<u8>,
}

/// A `std::barrier`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Phases {
    /// How many phases have had their last arrival.
    full: u8,
    /// How many have come in this one, and how many of them leave.
    here: u8,
    leaving: u8,
    /// How many it waits for.
    awaited: u8,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State<M> {
    memory: M,
    threads: Vec<Thread>,
    mutexes: Vec<Option<u8>>,
    rwlocks: Vec<RwLock>,
    /// Threads that can be signalled.
    waiting: Vec<u8>,
    semaphores: Vec<u8>,
    /// By barrier: the threads that have come; those that came last in their groups and have not been told.
    barriers: Vec<(u8, u8)>,
    phased: Vec<Phases>,
    onces: Vec<u8>,
    allocated: Vec<u8>,
    freed: u16,
    /// Nodes on stacks.
    local: u16,
    /// `main` has returned.
    over: bool,
    /// Observed values by number of name.
    pub observed: Vec<(u8, i8)>,
}

/// Where a step leads; nearly always on, so that a box would cost more than it saves.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Next<M> {
    /// On.
    State(State<M>),
    /// A violation stops the thread. Another thread's violation could as well come before, so nothing is followed.
    Failed(ViolationKind),
    /// An assumption failed.
    Assumed,
}

/// What a state is if nothing ever happens any more but what happens in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// A complete execution: all threads have ended, or `main` has returned.
    Complete,
    /// Some thread has not ended.
    Stuck,
}

/// How many things threads hand their views on through.
pub fn syncs(code: &Code) -> usize {
    let locks = code.tried.len() + 2 * code.rw_tried.len();
    // A condition variable has a word, and a bell for each thread.
    let conditions = code.conditions * (1 + code.count());
    locks + code.semaphores.len() + code.barriers.len() + code.onces + conditions + code.phased.len()
}

/// The steps of a program.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    /// The program.
    pub code: &'a Code,
    /// Races are looked for.
    pub races: bool,
    /// What was found besides steps: races end nothing.
    pub raced: bool,
    /// A bound was reached: nothing can be said.
    pub too_large: bool,
    /// A rule was broken behind which nothing is said of the program, but that it was broken.
    pub lawless: bool,
}

/// No register holds more in a program that is looked at.
const LARGEST: i8 = 100;

type Found<M> = Vec<Next<M>>;

impl<'a> Machine<'a> {
    /// For a model.
    pub fn new(code: &'a Code, model: Model) -> Machine<'a> {
        let races = model.definition().races;
        Machine { code, races, raced: false, too_large: false, lawless: false }
    }

    /// The beginning.
    pub fn initial<M: Memory>(&mut self, model: Model) -> State<M> {
        let code = self.code;
        let count = code.count();
        let mut thread = Thread { at: 0, life: Life::Unborn, regs: [0; ALL_REGS] };
        let mut threads = vec![thread.clone(); count];
        thread.life = Life::Running;
        threads[0] = thread;
        let mut state = State {
            memory: M::new(code, model),
            threads,
            mutexes: vec![None; code.tried.len()],
            rwlocks: vec![RwLock { writer: None, readers: vec![0; count] }; code.rw_tried.len()],
            waiting: vec![0; code.conditions],
            semaphores: code.semaphores.clone(),
            barriers: vec![(0, 0); code.barriers.len()],
            phased: code
                .phased
                .iter()
                .map(|&awaited| Phases { full: 0, here: 0, leaving: 0, awaited })
                .collect(),
            onces: vec![0; code.onces],
            allocated: vec![0; count],
            freed: 0,
            local: 0,
            over: false,
            observed: Vec::new(),
        };
        self.run_on(&mut state, 0);
        self.tidy(&mut state);
        state
    }

    /// Is a thread that does not move stuck at something else than the end of another one?
    pub fn is_blocked<M: Memory>(&self, state: &State<M>, moves: u8) -> bool {
        (0..state.threads.len()).any(|thread| {
            state.threads[thread].life == Life::Running
                && moves & 1 << thread == 0
                && !matches!(self.op(state, thread), Some(Op::Join(_)))
        })
    }

    /// Is a thread inside a loop?
    pub fn is_in_loop<M: Memory>(&self, state: &State<M>) -> bool {
        (0..state.threads.len()).any(|thread| {
            let at = usize::from(state.threads[thread].at);
            let ops = self.code.threads[thread].iter().enumerate();
            state.threads[thread].life == Life::Running
                && ops.skip(at).any(|(_, op)| matches!(op, Op::Jump(to) if *to <= at))
        })
    }

    /// What a state without a way out is.
    pub fn rest<M: Memory>(&self, state: &State<M>) -> Rest {
        let done = state.over || state.threads.iter().all(|thread| thread.life == Life::Ended);
        if done { Rest::Complete } else { Rest::Stuck }
    }

    /// All steps; and a bit for each thread that makes one (the memory's own steps are none).
    pub fn steps<M: Memory>(&mut self, state: &State<M>) -> (Found<M>, u8) {
        let mut found = Vec::new();
        let mut moves = 0;
        for thread in 0..state.threads.len() {
            if state.threads[thread].life == Life::Running {
                let before = found.len();
                self.step(state, thread, &mut found);
                moves |= u8::from(found.len() > before) << thread;
            }
        }
        for memory in state.memory.internal() {
            found.push(Next::State(State { memory, ..state.clone() }));
        }
        for next in &mut found {
            if let Next::State(state) = next {
                self.tidy(state);
            }
        }
        (found, moves)
    }

    fn tidy<M: Memory>(&mut self, state: &mut State<M>) {
        let live: Vec<bool> = state.threads.iter().map(|thread| thread.life == Life::Running).collect();
        let joining: Vec<Option<usize>> = (0..state.threads.len())
            .map(|thread| match self.op(state, thread) {
                Some(Op::Join(other)) if live[thread] => Some(usize::from(*other)),
                _ => None,
            })
            .collect();
        state.memory.normalise(&live, &joining);
        // Before a number that counts without end wraps around, or becomes what stands for no value.
        let counts_on = |me: &Thread| me.regs.iter().any(|value| !(-LARGEST..=LARGEST).contains(value));
        self.too_large |= state.memory.too_large() || state.threads.iter().any(counts_on);
    }

    fn op<M>(&self, state: &State<M>, thread: usize) -> Option<&'a Op> {
        self.code.threads[thread].get(usize::from(state.threads[thread].at))
    }

    /// Runs what only the thread itself can see.
    fn run_on<M: Memory>(&mut self, state: &mut State<M>, thread: usize) {
        for _ in 0..200 {
            let Some(op) = self.op(state, thread) else { return };
            if *op == Op::End && !self.own_nodes(state, thread).is_empty() {
                // The end of a stack with nodes is a step of its own.
                return;
            }
            let me = &mut state.threads[thread];
            match op {
                Op::Set(reg, value) => {
                    me.regs[usize::from(*reg)] = evaluate(&me.regs, *value);
                    me.at += 1;
                }
                Op::Jump(to) => me.at = *to as u16,
                Op::Unless(cond, to) => {
                    me.at = if holds(&me.regs, *cond) { me.at + 1 } else { *to as u16 };
                }
                Op::Observe(reg, name) => {
                    let value = me.regs[usize::from(*reg)];
                    me.at += 1;
                    state.observed.push((*name, value));
                    state.observed.sort_unstable();
                }
                Op::End => {
                    me.life = Life::Ended;
                    me.regs = [0; ALL_REGS];
                    return;
                }
                _ => return,
            }
        }
        self.too_large = true;
    }

    /// The nodes on a thread's stack that are still there.
    fn own_nodes<M>(&self, state: &State<M>, thread: usize) -> Vec<usize> {
        let first = self.code.nodes[..thread].iter().sum::<usize>();
        let there = |node: &usize| state.local & !state.freed & 1 << node != 0;
        (first..first + self.code.nodes[thread]).filter(there).collect()
    }

    /// The state with the thread one operation further.
    fn on<M: Memory>(
        &mut self,
        state: &State<M>,
        thread: usize,
        change: impl FnOnce(&mut State<M>),
    ) -> Next<M> {
        let mut next = state.clone();
        next.threads[thread].at += 1;
        change(&mut next);
        self.run_on(&mut next, thread);
        Next::State(next)
    }

    /// The location of a place; the violation if there is none.
    fn locate<M: Memory>(
        &self,
        state: &State<M>,
        thread: usize,
        place: Place,
    ) -> Result<(usize, Option<usize>), ViolationKind> {
        let (reg, member) = match place {
            Place::Var(var) => return Ok((usize::from(var), None)),
            Place::Atom(reg) => (reg, 0),
            Place::Data(reg) => (reg, 1),
        };
        let node = self.node(state, thread, reg).ok_or(ViolationKind::NullDereference)?;
        if state.freed & 1 << node != 0 {
            return Err(ViolationKind::UseAfterFree);
        }
        Ok((self.code.vars.len() + 2 * node + member, Some(node)))
    }

    fn node<M>(&self, state: &State<M>, thread: usize, reg: Reg) -> Option<usize> {
        let pointer = state.threads[thread].regs[usize::from(reg)];
        (pointer > 0).then(|| pointer as usize - 1)
    }

    fn note<M: Memory>(
        &mut self,
        memory: &mut M,
        thread: usize,
        (location, node): (usize, Option<usize>),
        access: Access,
    ) {
        self.raced |= memory.note(thread, location, access) && self.races;
        if let Some(node) = node {
            self.raced |= !memory.knows_made(thread, node) && self.races;
            memory.note_node(thread, node);
        }
    }

    fn step<M: Memory>(&mut self, state: &State<M>, thread: usize, found: &mut Found<M>) {
        let Some(op) = self.op(state, thread) else { return };
        let me = &state.threads[thread];
        let drained = state.memory.drained(thread);
        let my = |value: Expr| evaluate(&me.regs, value);
        match op {
            Op::Load { to, place, order } => {
                let at = match self.locate(state, thread, *place) {
                    Ok(at) => at,
                    Err(kind) => return found.push(Next::Failed(kind)),
                };
                let access = Access { writes: false };
                for (value, mut memory) in state.memory.load(thread, at.0, *order) {
                    self.note(&mut memory, thread, at, access);
                    if value == UNKNOWN {
                        found.push(Next::Failed(ViolationKind::UninitialisedRead));
                        continue;
                    }
                    found.push(self.on(state, thread, |next| {
                        next.memory = memory;
                        next.threads[thread].regs[usize::from(*to)] = value;
                    }));
                }
            }
            Op::Store { place, value, order } => {
                let at = match self.locate(state, thread, *place) {
                    Ok(at) => at,
                    Err(kind) => return found.push(Next::Failed(kind)),
                };
                let access = Access { writes: true };
                // What the write hands on includes that it happened.
                let mut before = state.memory.clone();
                self.note(&mut before, thread, at, access);
                for memory in before.store(thread, at.0, my(*value), *order) {
                    found.push(self.on(state, thread, |next| next.memory = memory));
                }
            }
            Op::Rmw { to, place, update, operand, order } => {
                let at = match self.locate(state, thread, *place) {
                    Ok(at) => at,
                    Err(kind) => return found.push(Next::Failed(kind)),
                };
                let operand = my(*operand);
                let change = |old: i8| {
                    Some(match update {
                        Update::Exchange => operand,
                        Update::Add => old.wrapping_add(operand),
                        Update::Or => old | operand,
                    })
                };
                let mut before = state.memory.clone();
                self.note(&mut before, thread, at, Access { writes: true });
                for (value, memory) in before.update(thread, at.0, &change, (*order, *order)) {
                    if value == UNKNOWN {
                        found.push(Next::Failed(ViolationKind::UninitialisedRead));
                        continue;
                    }
                    found.push(self.on(state, thread, |next| {
                        next.memory = memory;
                        next.threads[thread].regs[usize::from(*to)] = value;
                    }));
                }
            }
            Op::Cas { ok, expected, place, new, success, failure } => {
                let at = match self.locate(state, thread, *place) {
                    Ok(at) => at,
                    Err(kind) => return found.push(Next::Failed(kind)),
                };
                let wanted = me.regs[usize::from(*expected)];
                let new = my(*new);
                let change = |old: i8| (old == wanted).then_some(new);
                let mut before = state.memory.clone();
                self.note(&mut before, thread, at, Access { writes: true });
                for (value, memory) in before.update(thread, at.0, &change, (*success, *failure)) {
                    if value == UNKNOWN {
                        found.push(Next::Failed(ViolationKind::UninitialisedRead));
                        continue;
                    }
                    found.push(self.on(state, thread, |next| {
                        next.memory = memory;
                        let regs = &mut next.threads[thread].regs;
                        // C writes `expected` before the result is assigned.
                        if value != wanted {
                            regs[usize::from(*expected)] = value;
                        }
                        regs[usize::from(*ok)] = i8::from(value == wanted);
                    }));
                }
            }
            Op::Fence(order) => {
                if let Some(memory) = state.memory.fence(thread, *order) {
                    found.push(self.on(state, thread, |next| next.memory = memory));
                }
            }
            Op::Assert(cond) => found.push(match holds(&me.regs, *cond) {
                true => self.on(state, thread, |_| ()),
                false => Next::Failed(ViolationKind::Assertion),
            }),
            Op::Assume(cond) => found.push(match holds(&me.regs, *cond) {
                true => self.on(state, thread, |_| ()),
                false => Next::Assumed,
            }),
            Op::Demand(reg, least) => found.push(match me.regs[usize::from(*reg)] >= *least as i8 {
                true => self.on(state, thread, |_| ()),
                false => {
                    self.lawless = true;
                    Next::Failed(ViolationKind::LockMisuse)
                }
            }),
            Op::AwaitValue(place, value) => {
                let Ok((location, _)) = self.locate(state, thread, *place) else { return };
                let value = my(*value);
                let seen = state.memory.load(thread, location, Order::Acquire);
                // Later phases may be complete, too; a latch stays at zero.
                let exact = seen.iter().any(|(seen, _)| *seen == value);
                for (_, memory) in seen
                    .into_iter()
                    .filter(|(seen, _)| *seen == value || !exact && value > 0 && *seen > value)
                {
                    found.push(self.on(state, thread, |next| next.memory = memory));
                }
            }
            Op::AwaitOther { to, place, not, order } => {
                // To see the old value again tells a thread no more than not to have looked.
                let Ok((location, _)) = self.locate(state, thread, *place) else { return };
                for (seen, memory) in state.memory.load(thread, location, *order) {
                    if seen != *not {
                        found.push(self.on(state, thread, |next| {
                            next.memory = memory;
                            next.threads[thread].regs[usize::from(*to)] = seen;
                        }));
                    }
                }
            }
            Op::Choose(to) => {
                for value in 0..2 {
                    found.push(
                        self.on(state, thread, |next| next.threads[thread].regs[usize::from(*to)] = value),
                    );
                }
            }
            Op::Malloc(to) | Op::Local(to) => {
                let mine = state.allocated[thread];
                if usize::from(mine) >= self.code.nodes[thread] {
                    self.too_large = true;
                    return;
                }
                let node = self.code.nodes[..thread].iter().sum::<usize>() + usize::from(mine);
                found.push(self.on(state, thread, |next| {
                    next.allocated[thread] += 1;
                    next.local |= u16::from(matches!(op, Op::Local(_))) << node;
                    next.memory.note_made(thread, node);
                    next.memory.note_node(thread, node);
                    next.threads[thread].regs[usize::from(*to)] = node as i8 + 1;
                }));
            }
            Op::Free(reg) => {
                let Some(node) = self.node(state, thread, *reg) else {
                    return found.push(self.on(state, thread, |_| ()));
                };
                if state.freed & 1 << node != 0 {
                    return found.push(Next::Failed(ViolationKind::DoubleFree));
                }
                if state.local & 1 << node != 0 {
                    return found.push(Next::Failed(ViolationKind::InvalidFree));
                }
                self.raced |= !state.memory.knows_made(thread, node) && self.races;
                if !state.memory.may_free(thread, node) {
                    return found.push(Next::Failed(ViolationKind::UseAfterFree));
                }
                found.push(self.on(state, thread, |next| next.freed |= 1 << node));
            }
            Op::End => {
                let mut next = state.clone();
                for node in self.own_nodes(state, thread) {
                    if !state.memory.may_free(thread, node) {
                        return found.push(Next::Failed(ViolationKind::UseAfterFree));
                    }
                    next.freed |= 1 << node;
                }
                self.run_on(&mut next, thread);
                found.push(Next::State(next));
            }
            Op::Create(child) if drained => {
                let child = usize::from(*child);
                let mut next = self.on(state, thread, |next| {
                    next.threads[child].life = Life::Running;
                    next.memory.create(thread, child);
                });
                if let Next::State(next) = &mut next {
                    self.run_on(next, child);
                }
                found.push(next);
            }
            Op::Join(child) => {
                let child = usize::from(*child);
                if drained && state.threads[child].life == Life::Ended && state.memory.drained(child) {
                    found.push(self.on(state, thread, |next| next.memory.join(thread, child)));
                }
            }
            Op::Leave => found.push(self.on(state, thread, |next| {
                next.over = true;
                next.threads[thread].life = Life::Ended;
                next.threads[thread].regs = [0; ALL_REGS];
            })),
            _ if drained => self.synchronise(state, thread, op, found),
            // Locks and the like wait until the buffers are empty.
            _ => {}
        }
    }
}

fn evaluate(regs: &[i8], value: Expr) -> i8 {
    match value {
        Expr::Const(value) => value,
        Expr::Reg(reg) => regs[usize::from(reg)],
        Expr::Plus(reg, value) => regs[usize::from(reg)].wrapping_add(value),
        Expr::Other(reg) => 1i8.wrapping_sub(regs[usize::from(reg)]),
    }
}

fn holds(regs: &[i8], cond: Cond) -> bool {
    let reg = |reg: Reg| regs[usize::from(reg)];
    match cond {
        Cond::Is(r, value) => reg(r) == value,
        Cond::Not(r, value) => reg(r) != value,
        Cond::Same(a, b) => reg(a) == reg(b),
        Cond::Differ(a, b) => reg(a) != reg(b),
        Cond::Either(a, b) => reg(a) != 0 || reg(b) != 0,
        Cond::Both(a, b) => reg(a) != 0 && reg(b) != 0,
    }
}
