//! Which steps could have come in the other order: races, and the steps to try instead.
//!
//! Source sets after Abdulla and others: where two steps depend on each other and nothing else puts them in order, some
//! run has the later one first. Such a run begins, where the earlier step was made, with an *initial* of what is to
//! come: the steps in between that do not come after the earlier one, and then the later one. If no initial is to
//! be tried there yet, one is added.

use super::Search;
use super::access::{Access, AccessKind};
use super::steps::Step;
use crate::graph::{Kind, Loc, ThreadStatus};
use crate::program::Program;
use crate::program::action::{LockMode, UpdateOp, Value, Width};
use crate::run::resolve::{LockUse, Request};

/// A step that the newest one could have come before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    earlier: usize,
    /// Could the newest step be the first of what is to come?
    is_initial: bool,
}

impl<P: Program> Search<'_, P> {
    /// The row of a step that is about to join the run has what comes before it in its thread: add what it depends
    /// on, and try what its races ask for.
    pub(super) fn place_row(&mut self, step: &Step) {
        let here = self.steps.len();
        if !self.run.settings.reduction {
            self.machine.rows.add(step.row, step.process, here);
            return;
        }
        let lock = self.lock_of(step);
        let mut races = std::mem::take(&mut self.races);
        if let Some(lock) = lock {
            self.find_takes(step.access, lock, step.row, &mut races);
        }
        if self.meets_ends(step.access) {
            for earlier in (0..here).rev() {
                self.meet(step, earlier, lock, &mut races);
            }
        } else {
            self.meet_at_location(step, lock, &mut races);
        }
        self.machine.rows.add(step.row, step.process, here);
        for race in races.drain(..) {
            self.reverse(race, here, step.process);
        }
        self.races = races;
    }

    /// A step meets those before it at its location.
    fn meet_at_location(&mut self, step: &Step, lock: Option<Lock>, races: &mut Vec<Race>) {
        // The thread of the last write by another thread: what came before that write comes before this step anyway,
        // apart from loads of the same thread, which may have come after the flush as well.
        let mut writer = None;
        let mut at = step.prev as usize;
        while at > 0 {
            let Step { access, .. } = self.steps[at - 1];
            if writer.is_none_or(|writer| access.thread == writer) {
                self.meet(step, at - 1, lock, races);
            }
            if access.writes() && access.thread != step.access.thread {
                if writer.is_some_and(|writer| access.thread != writer) {
                    break;
                }
                writer = Some(access.thread);
            }
            at = self.steps[at - 1].prev as usize;
        }
    }

    /// If a step depends on an earlier one, and that does not come before it anyway: from now on it does, and they race.
    fn meet(&mut self, step: &Step, earlier: usize, lock: Option<Lock>, races: &mut Vec<Race>) {
        let Step { access, process, row, .. } = self.steps[earlier];
        if !self.depend(access, step.access) || self.machine.rows.has(step.row, process, earlier) {
            return;
        }
        if lock.is_none_or(|lock| self.was_free_before(lock, step.access.loc, earlier)) {
            let is_initial = self.machine.rows.ends_before(step.row, earlier);
            races.push(Race { earlier, is_initial });
        }
        self.machine.rows.join(step.row, row);
    }

    /// If a step takes a lock, waiting if necessary: how.
    fn lock_of(&self, step: &Step) -> Option<Lock> {
        if step.event.is_init() || step.access.kind == AccessKind::Flush {
            return None;
        }
        Lock::of(&self.run.step_of(self.graph.event(step.event)).request)
    }

    /// Could a lock have been taken before the step at this place? Where it is released there, it could not.
    fn was_free_before(&self, lock: Lock, loc: Loc, step: usize) -> bool {
        let event = self.steps[step].event;
        match lock {
            Lock::Word(op) => match self.graph.event(event).kind.writes() {
                true => {
                    let before = self.graph.write_at(loc, self.graph.write_index(event) - 1);
                    takes(op, self.run.value_of(&self.graph, loc, before))
                }
                false => true,
            },
            Lock::Section(_) => self.graph.event(event).kind != Kind::Unlock,
        }
    }

    /// A lock is taken, or waited for: the steps by which it was taken last, in a way that excludes this. They come
    /// before it only because it was released since. `row` has what comes before in its own thread.
    fn find_takes(&mut self, access: Access, lock: Lock, row: u32, races: &mut Vec<Race>) {
        let mut at = self.touched.get(access.loc as usize).copied().unwrap_or(0) as usize;
        while at > 0 {
            let other = &self.steps[at - 1];
            let (earlier, next) = (at - 1, other.prev as usize);
            let conflicts = other.access.writes() || access.writes();
            let takes_it = match lock {
                Lock::Word(_) => other.access.writes() && self.was_free_before(lock, access.loc, earlier),
                Lock::Section(_) => conflicts && self.graph.event(other.event).kind == Kind::Lock,
            };
            if takes_it && !self.machine.rows.has(row, other.process, earlier) {
                let is_initial = self.is_first_without(access, row, earlier);
                races.push(Race { earlier, is_initial });
            }
            if takes_it && other.access.writes() {
                break;
            }
            at = next;
        }
    }

    /// Would a step with this access be the first of what is to come, if it came before the step at this place and all
    /// that comes after that?
    fn is_first_without(&self, access: Access, row: u32, earlier: usize) -> bool {
        if !self.machine.rows.ends_before(row, earlier) {
            return false;
        }
        let process = self.steps[earlier].process;
        let mut at = self.touched[access.loc as usize] as usize;
        while at > earlier + 1 {
            let other = &self.steps[at - 1];
            if other.access.depends_on(access) && !self.machine.rows.has(other.row, process, earlier) {
                return false;
            }
            at = other.prev as usize;
        }
        !self.has_end_between(access, process, earlier)
    }

    /// The run goes no further: threads that wait for a lock could have come before those that hold it. That must be
    /// asked even where the run is only left because others show how it goes on: they may show a thread waiting, too.
    pub(super) fn race_for_locks(&mut self) {
        if !self.run.settings.reduction {
            return;
        }
        let here = self.steps.len();
        let mut races = std::mem::take(&mut self.races);
        for t in 0..self.graph.threads.len() {
            if !matches!(self.graph.status[t], ThreadStatus::Reads | ThreadStatus::Steps) {
                continue;
            }
            let step = self.run.step(&self.graph, t);
            let Some(lock) = Lock::of(&step.request) else { continue };
            let kind = match lock {
                Lock::Word(_) => AccessKind::Write,
                Lock::Section(mode) => AccessKind::of_lock(mode),
            };
            let access = Access { kind, loc: step.loc, thread: t as u32 };
            let rows = self.machine.rows.count();
            let row = self.row_of_thread(t, true);
            self.find_takes(access, lock, row, &mut races);
            let process = self.machine.threads[t].process;
            for race in races.drain(..) {
                self.reverse(race, here, process);
            }
            self.machine.rows.truncate(rows);
        }
        self.races = races;
    }

    /// The step of `process` at place `here` races with an earlier one: see to it that a run is tried in which it
    /// comes first.
    fn reverse(&mut self, race: Race, here: usize, process: u32) {
        let Race { earlier, is_initial } = race;
        let rows = &self.machine.rows;
        let of = self.steps[earlier].process;
        let frame = &mut self.frames[earlier];
        let mut choice = None;
        let mut consider = |process: u32| {
            if frame.todo.has(process) || frame.is_asleep(process) {
                return true;
            }
            if frame.enabled.has(process) {
                choice.get_or_insert(process);
            }
            false
        };
        if is_initial && consider(process) {
            return;
        }
        for step in &self.steps[earlier + 1..here] {
            let is_first = step.own as usize <= earlier
                && !rows.has(step.row, of, earlier)
                && is_first(rows.get(step.row), step.process, earlier);
            if is_first && consider(step.process) {
                return;
            }
        }
        match choice {
            Some(process) => frame.todo.add(process),
            None => frame.todo.add_all(&frame.enabled),
        }
    }
}

/// Does a row have only steps before this place of the run, apart from those of its own process?
fn is_first(row: &[u32], process: u32, step: usize) -> bool {
    row.iter().enumerate().all(|(p, &last)| p == process as usize || last as usize <= step)
}

/// How a lock is taken.
#[derive(Clone, Copy)]
enum Lock {
    /// By an update of its word, which waits until it succeeds.
    Word(UpdateOp),
    /// By an event that reads and writes nothing.
    Section(LockMode),
}

impl Lock {
    fn of(request: &Request) -> Option<Lock> {
        match *request {
            Request::Update { op, lock: LockUse::Wait, .. } => Some(Lock::Word(op)),
            Request::Lock { mode, .. } => Some(Lock::Section(mode)),
            _ => None,
        }
    }
}

/// Does an update of a lock's word succeed if it reads this value?
fn takes(op: UpdateOp, value: Value) -> bool {
    op.apply(value, Width::B4).is_some()
}
