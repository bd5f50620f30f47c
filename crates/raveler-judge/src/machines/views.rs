//! Memory as messages with views: RA.
//!
//! Every location has a list of messages in timestamp order; a message carries the view of its writer: for each location
//! the position up to which it has seen. A load takes any message not older than its thread's view and joins the
//! message's view; a store puts a message anywhere after its thread's view; an update puts its message right behind the
//! one it read, and nothing ever comes between the two.

use super::Machine;
use crate::code::{Code, Standing, Visible, Wants};
use crate::graph::State;

/// The machine for one program.
pub struct Views<'a> {
    /// The program.
    pub code: &'a Code,
}

/// For each place (data, then locks) the position of the newest message seen.
type View = Vec<u8>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Message {
    value: i64,
    view: View,
    /// It belongs to an update that read the message before it.
    attached: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: Standing,
    started: bool,
    ended: bool,
    view: View,
}

/// A state of the machine.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Memory {
    threads: Vec<Thread>,
    places: Vec<Vec<Message>>,
}

impl Machine for Views<'_> {
    type State = Memory;

    fn start(&self) -> Memory {
        let places = self.code.init.len() + self.code.locks;
        let view = vec![0; places];
        let thread = |&spawned: &bool| Thread {
            at: Standing::default(),
            started: !spawned,
            ended: false,
            view: view.clone(),
        };
        let message = |place: usize| Message {
            value: self.code.init.get(place).copied().unwrap_or(0),
            view: view.clone(),
            attached: false,
        };
        Memory {
            threads: self.code.spawned.iter().map(thread).collect(),
            places: (0..places).map(|place| vec![message(place)]).collect(),
        }
    }

    fn steps(&self, state: &Memory, next: &mut Vec<Memory>) {
        for thread in 0..state.threads.len() {
            self.instruction(state, thread, next);
        }
    }

    fn is_dropped(&self, state: &Memory) -> bool {
        state.threads.iter().zip(&self.code.threads).any(|(thread, code)| thread.at.is_dropped(code))
    }

    fn ended(&self, state: &Memory) -> Option<State> {
        if !state.threads.iter().all(|thread| thread.ended || !thread.started) {
            return None;
        }
        let mut end = State::new();
        for (thread, &used) in state.threads.iter().zip(&self.code.registers) {
            end.extend(&thread.at.registers[..used]);
        }
        for place in self.code.lasting() {
            end.push(state.places[place].last().expect("the initial message stays").value);
        }
        Some(end)
    }
}

impl Views<'_> {
    fn instruction(&self, state: &Memory, index: usize, next: &mut Vec<Memory>) {
        if !state.threads[index].started || state.threads[index].ended {
            return;
        }
        let mut after = state.clone();
        let me = &mut after.threads[index];
        let visible = match me.at.settle(&self.code.threads[index]) {
            Wants::Stuck | Wants::Failed | Wants::Waits | Wants::Unheard | Wants::Dropped => return,
            Wants::Done => {
                me.ended = true;
                next.push(after);
                return;
            }
            Wants::Do(visible) => visible,
        };
        let registers = me.at.registers;
        let lock_place = |lock: u8| self.code.init.len() + lock as usize;
        match visible {
            Visible::Fence(_) | Visible::Alloc(_) | Visible::Free(_) => {
                self.push(after, index, visible, 0, next)
            }
            Visible::Choose { low, high, .. } => {
                (low..=high).for_each(|value| self.push(after.clone(), index, visible, value, next));
            }
            Visible::Spawn(child) => {
                let view = after.threads[index].view.clone();
                after.threads[child as usize].started = true;
                after.threads[child as usize].view = view;
                self.push(after, index, visible, 0, next);
            }
            Visible::Join(child) => {
                if state.threads[child as usize].ended {
                    let view = after.threads[child as usize].view.clone();
                    join(&mut after.threads[index].view, &view);
                    self.push(after, index, visible, 0, next);
                }
            }
            Visible::Store { loc, value, .. } => {
                self.store(&after, index, visible, loc as usize, value.value(&registers), next);
            }
            Visible::Unlock(lock) => self.store(&after, index, visible, lock_place(lock), 0, next),
            Visible::Load { loc, .. } => {
                self.read(&after, index, visible, loc as usize, &|_| Some((None, None)), next)
            }
            Visible::Update { loc, kind, operand, .. } => {
                let operand = operand.value(&registers);
                let effect = |read| Some((Some(kind.apply(read, operand)), None));
                self.read(&after, index, visible, loc as usize, &effect, next);
            }
            Visible::Cas { loc, expected, desired, weak: true, .. } => {
                let (expected, desired) = (expected.value(&registers), desired.value(&registers));
                let effect = |read| (read == expected).then_some((Some(desired), Some(1)));
                self.read(&after, index, visible, loc as usize, &effect, next);
                self.read(&after, index, visible, loc as usize, &|_| Some((None, Some(0))), next);
            }
            Visible::Cas { loc, expected, desired, .. } => {
                let (expected, desired) = (expected.value(&registers), desired.value(&registers));
                let effect = |read| Some(((read == expected).then_some(desired), None));
                self.read(&after, index, visible, loc as usize, &effect, next);
            }
            Visible::Condition(operation) => {
                let at = me.at.waiting;
                // It waits until it is woken, whatever it may have seen before.
                let effect =
                    |read| operation.is_heard(&at, read).then(|| (operation.change(&at, read), None));
                self.read(&after, index, visible, operation.place(&at) as usize, &effect, next);
            }
            Visible::Lock { lock, .. } => {
                let effect = |read| (read == 0).then_some((Some(1), None));
                self.read(&after, index, visible, lock_place(lock), &effect, next);
            }
            Visible::TryLock { lock, .. } => {
                let effect = |read| Some(if read == 0 { (Some(1), Some(1)) } else { (None, Some(0)) });
                self.read(&after, index, visible, lock_place(lock), &effect, next);
            }
        }
    }

    fn push(&self, mut after: Memory, index: usize, visible: Visible, answer: i64, next: &mut Vec<Memory>) {
        after.threads[index].at.resume(visible, answer);
        next.push(after);
    }

    /// Puts a message at every place its thread's view allows.
    fn store(
        &self,
        state: &Memory,
        index: usize,
        visible: Visible,
        place: usize,
        value: i64,
        next: &mut Vec<Memory>,
    ) {
        let messages = &state.places[place];
        for position in state.threads[index].view[place] as usize + 1..=messages.len() {
            if messages.get(position).is_some_and(|message| message.attached) {
                continue;
            }
            let mut after = state.clone();
            after.insert(index, place, position, value, false);
            self.push(after, index, visible, 0, next);
        }
    }

    /// Reads every message its thread's view allows. `effect`: what is written after reading a value (if anything) and
    /// what is answered instead of the value; none if the value may not be read.
    #[allow(clippy::type_complexity)]
    fn read(
        &self,
        state: &Memory,
        index: usize,
        visible: Visible,
        place: usize,
        effect: &dyn Fn(i64) -> Option<(Option<i64>, Option<i64>)>,
        next: &mut Vec<Memory>,
    ) {
        let messages = &state.places[place];
        for position in state.threads[index].view[place] as usize..messages.len() {
            let message = &messages[position];
            let Some((write, answer)) = effect(message.value) else { continue };
            let mut after = state.clone();
            join(&mut after.threads[index].view, &message.view);
            let seen = &mut after.threads[index].view[place];
            *seen = (*seen).max(position as u8);
            if let Some(value) = write {
                if messages.get(position + 1).is_some_and(|message| message.attached) {
                    continue;
                }
                after.insert(index, place, position + 1, value, true);
            }
            self.push(after, index, visible, answer.unwrap_or(message.value), next);
        }
    }
}

impl Memory {
    /// Puts a message of a thread at a position and makes all views name the messages they named before.
    fn insert(&mut self, thread: usize, place: usize, position: usize, value: i64, attached: bool) {
        let shift = |view: &mut View| {
            if view[place] as usize >= position {
                view[place] += 1;
            }
        };
        self.threads.iter_mut().for_each(|thread| shift(&mut thread.view));
        self.places.iter_mut().flatten().for_each(|message| shift(&mut message.view));
        let view = &mut self.threads[thread].view;
        view[place] = position as u8;
        let view = view.clone();
        self.places[place].insert(position, Message { value, view, attached });
    }
}

fn join(view: &mut View, other: &View) {
    for (mine, theirs) in view.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
